import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import TenureCLI

/// What `doctor` says of the product's tables.
@Suite struct GrowthTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func judge(_ tables: [TableGrowth], noted: Date? = now) -> [String] {
        GrowthCheck.judge(tables, noted: noted, now: Self.now).map(\.line)
    }

    private func growth(
        _ table: String, _ bytes: Int64, from earlier: Int64?, days: Int = 7
    ) throws -> TableGrowth {
        let json = """
            {"table": "\(table)", "bytes": \(bytes), "days": \(days)\
            \(earlier.map { ", \"earlier\": \($0)" } ?? "")}
            """
        return try JSONDecoder().decode(TableGrowth.self, from: Data(json.utf8))
    }

    @Test func `a large table that grows fast is told of, with its pace and what to do`() throws {
        let gib: Int64 = 1 << 30
        let told = judge([
            try growth("body", 8 * gib, from: 4 * gib),
            try growth("check_target", 2 * gib, from: 2 * gib),
            try growth("notice", gib / 2, from: 0),
            try growth("item", 3 * gib, from: nil, days: 0),
        ])
        #expect(told.count == 1)
        #expect(
            told[0].hasPrefix(
                "warn  growth: content.body, 8.0 GiB, +585.1 MiB a day for 7 days; over 1.0 GiB "
                    + "and 1 % a day is told of. Keep versions for less long"), "\(told)")
    }

    @Test func `what doesn't grow is a line, and so is a sweep that nobody has seen`() throws {
        let small = try growth("body", 2048, from: 4096, days: 1)
        #expect(
            judge([small]) == [
                "ok    growth: 2.0 KiB in all; the largest is content.body, 2.0 KiB, -2.0 KiB a "
                    + "day for 1 day"
            ])
        let late = judge([small], noted: Self.now - 3 * 86_400)
        #expect(late.count == 1)
        #expect(late[0].hasPrefix("warn  growth: nothing has been swept since "))
        #expect(judge([small], noted: nil)[0].hasPrefix("ok    growth"))
    }

    @Test func `doctor compares with what the sweep has noted`() async throws {
        let fixture = try await Fixture()
        try await fixture.pool.simple(
            """
            SELECT content.note_sizes();
            UPDATE content.table_size SET noted_on = noted_on - 40;
            SELECT content.note_sizes(), content.note_sizes();
            INSERT INTO content.table_size (name, noted_on, bytes)
            SELECT s.name, s.noted_on - 3, s.bytes + 3 * 1048576 FROM content.table_size s
            """)
        let noted: [Int] = try await fixture.pool.query(
            "SELECT count(DISTINCT s.noted_on)::integer FROM content.table_size s"
        ) { Int(try $0.decode(0, as: Int32.self)) }
        #expect(noted == [2])  // What is too old is gone.
        let growth = try await TableGrowth.all(in: fixture.pool)
        #expect(growth.contains { $0.table == "body" })
        #expect(growth.allSatisfy { $0.days == 3 && $0.bytesPerDay.map { $0 <= -500_000 } == true })
        let told = try await fixture.tenure.run("doctor").output
        #expect(told.contains("growth: "))
        #expect(told.contains("B a day for 3 days"))
    }
}
