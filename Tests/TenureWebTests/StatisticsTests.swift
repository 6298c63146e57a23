import Foundation
import HTTPTypes
import Tenure
import Testing

@testable import TenureWeb

/// Statistics of much are estimated from some pages, say so, and count all where they are asked.
@Suite struct StatisticsTests {
    private let bench: ConsoleBench
    private let console: Console
    private let session = ConsoleSession(name: "ada", mayAct: true)

    init() async throws {
        bench = try await ConsoleBench()
        console = bench.console()
        try await bench.pool.simple(Self.days)
    }

    /// Days before today, without regard to how long history is kept.
    private static let days = """
        DO $$
        DECLARE first timestamptz;
        BEGIN
            FOR n IN 1..30 LOOP
                first := date_trunc('day', now(), 'UTC') - n * interval '1 d';
                EXECUTE format(
                    'CREATE TABLE IF NOT EXISTS tenure.job_history_%s_%s
                     PARTITION OF tenure.job_history_%s FOR VALUES FROM (%L) TO (%L)', 'ended',
                    to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD'), 'ended', first,
                    first + interval '1 d');
                EXECUTE format(
                    'CREATE TABLE IF NOT EXISTS tenure.job_history_%s_%s
                     PARTITION OF tenure.job_history_%s FOR VALUES FROM (%L) TO (%L)', 'discarded',
                    to_char(first AT TIME ZONE 'UTC', 'YYYYMMDD'), 'discarded', first,
                    first + interval '1 d');
            END LOOP;
        END $$
        """

    /// Ends one after the other, the last one now.
    /// - Parameter every: between two of them.
    private func end(
        _ number: Int, every: String, _ outcome: String = "completed", of kind: String = "many"
    ) async throws {
        try await bench.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, kind, queue, run_at, created_at, claimed_at, finished_at, outcome, attempt,
                max_attempts, runs, payload_version, priority, payload)
            SELECT tenure.new_id(), '\(kind)', 'deep', t.at, t.at, t.at,
                   t.at + t.n % 100 * interval '10 ms', '\(outcome)', 1, 25, 1, 1, 5,
                   jsonb_build_object('text', repeat('x', 900))
            FROM (SELECT n, now() - interval '1 s' - (\(number) - n) * interval '\(every)' AS at
                  FROM generate_series(1, \(number)) AS n) AS t
            """)
    }

    private func ask(_ path: String, _ form: String) async throws -> String {
        try await Answer.to(path, .get, "", [.accept: form]) {
            await console.respond(to: $0, in: session)
        }.text
    }

    private struct Seen {
        let share: Double
        let isWhole: Bool
        var row: [String: Any]?

        func number(_ name: String) -> Int { row?[name] as? Int ?? 0 }
    }

    private func statistics(_ query: String, of kind: String = "many") async throws -> Seen {
        let text = try await ask("/statistics?since=" + query, "application/json")
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let found = try #require(object as? [String: Any], "\(text)")
        let rows = try #require(found["rows"] as? [[String: Any]])
        return Seen(
            share: try #require(found["share"] as? Double),
            isWhole: try #require(found["isWhole"] as? Bool),
            row: rows.first { $0["kind"] as? String == kind })
    }

    @Test func `what is few is counted, and what is much is estimated`() async throws {
        try await end(100, every: "1 s")
        let few = try await statistics("2h")
        #expect(few.isWhole && few.share == 1 && few.number("completed") == 100)
        #expect(few.row?["failedAttempts"] as? Int == 0)
        #expect(try await !ask("/statistics?since=2h", "text/html").contains("Estimated from "))

        // Thirty days of some 33 pages each; of the discarded 20 a day.
        try await end(7000, every: "370 s")
        try await end(600, every: "4320 s", "discarded")
        let some = try await statistics("30d")
        #expect(!some.isWhole && (0.2...0.8).contains(some.share), "\(some.share)")
        #expect((6500...7700).contains(some.number("completed")), "\(some)")
        #expect((570...630).contains(some.number("discarded")), "\(some)")
        let median = try #require(some.row?["runMedianSeconds"] as? Double)
        #expect((0.4...0.6).contains(median), "\(median)")
        #expect(some.row?["failedAttempts"] is NSNull && some.row?["runLongestSeconds"] is NSNull)
        let page = try await ask("/statistics?since=30d", "text/html")
        #expect(page.contains("Estimated from ") && page.contains("since=30d&amp;count=all"))

        let all = try await statistics("30d&count=all")
        #expect(all.isWhole && all.number("completed") + all.number("discarded") > 7650)
        #expect(all.row?["failedAttempts"] as? Int == 0)
    }

    /// It is at the end of a day of very many.
    @Test(.whenTodayHasBegun) func `the last minutes are read where they lie`() async throws {
        try await end(9000, every: "\(min(8, try await sinceMidnight() / 9001)) s")
        try await end(40, every: "100 ms", of: "rare")
        let last = try await statistics("15s", of: "rare")
        #expect(last.number("completed") == 40 && last.share < 1, "\(last)")
        let few = try await statistics("15s")
        let all = try await statistics("15s&count=all")
        #expect(abs(few.number("completed") - all.number("completed")) <= 1)
    }

    private func sinceMidnight() async throws -> Double {
        try await bench.pool.query(
            "SELECT extract(epoch FROM now() - date_trunc('day', now(), 'UTC'))::float8"
        ) { try $0.decode(0, as: Double.self) }[0]
    }

    /// As rows that were changed, or found room among older ones: not where the last minutes lie.
    @Test(.whenTodayHasBegun)
    func `what ended lately and lies among older rows is read for its part`() async throws {
        let day = try await sinceMidnight()
        let last = Int(min(600, day / 12))
        try await end(9000, every: "\(min(8, day / 9001)) s")
        try await bench.pool.simple(
            """
            UPDATE tenure.job_history h SET kind = 'moved',
                finished_at = now() - \(last) * interval '0.1 s'
            WHERE h.kind = 'many' AND (h.ctid::text::point)[0]::integer % 10 = 3
              AND h.finished_at > date_trunc('day', now(), 'UTC');
            DELETE FROM tenure.job_history
            WHERE kind = 'many' AND finished_at > now() - \(last) * interval '3 s'
            """)
        try await end(2000, every: "\(Double(last) / 10_000) s", of: "late")
        let moved = try await statistics("\(last)s", of: "moved")
        let all = try await statistics("\(last)s&count=all", of: "moved")
        let (some, right) = (moved.number("completed"), all.number("completed"))
        #expect(right > 500 && some > right / 2 && some < right * 2, "\(some) of \(right)")
    }

    /// At the same minute of each day, where a day's first page is; and at its end.
    @Test func `what ends at midnight counts as much as any other`() async throws {
        try await bench.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, kind, queue, run_at, created_at, claimed_at, finished_at, outcome, attempt,
                max_attempts, runs, payload_version, priority, payload)
            SELECT tenure.new_id(), CASE WHEN n < 60 THEN 'first' WHEN n >= 1140 THEN 'last'
                                         ELSE 'between' END,
                   'deep', t.at, t.at, t.at, t.at, 'completed', 1, 25, 1, 1, 5,
                   jsonb_build_object('text', repeat('x', 900))
            FROM (SELECT day, n, date_trunc('day', now(), 'UTC') - day * interval '1 d'
                                 + n * interval '1 min' AS at
                  FROM generate_series(1, 30) AS day, generate_series(0, 1199) AS n) AS t
            ORDER BY t.at
            """)
        for kind in ["first", "last"] {
            let found = try await statistics("30d", of: kind).number("completed")
            // 29 or 30 days of sixty: of some seven pages a day one and a half are read.
            #expect((600...4000).contains(found), "\(kind): \(found)")
        }
    }

    /// Such as a clock that was wrong leaves there.
    @Test func `what lies in no day is read for its part`() async throws {
        try await end(50, every: "1 s", "discarded")
        try await bench.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, kind, queue, run_at, created_at, claimed_at, finished_at, outcome, attempt,
                max_attempts, runs, payload_version, priority, payload)
            SELECT tenure.new_id(), 'old', 'deep', '2001-01-01', '2001-01-01', '-infinity',
                   '2001-01-02', 'discarded', 1, 25, 1, 1, 5,
                   jsonb_build_object('text', repeat('x', 900))
            FROM generate_series(1, 3000)
            """)
        let found = try await statistics("1h")
        #expect(!found.isWhole && (25...60).contains(found.number("discarded")), "\(found)")
        let old = try await statistics("1h", of: "old")
        #expect(old.row == nil)
    }
}

extension Trait where Self == ConditionTrait {
    /// Right behind midnight today is no day of very many.
    fileprivate static var whenTodayHasBegun: Self {
        .enabled("today (UTC) is five minutes old at least") {
            Date.now.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) > 300
        }
    }
}
