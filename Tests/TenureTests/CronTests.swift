import Foundation
import Tenure
import TestSupport
import Testing

/// Cron expressions on wall clocks, as the database reads them.
@Suite struct CronTests {
    private struct Case: Sendable {
        let what: String
        let cron: String
        let zone: String
        let after: String
        let ticks: [String]
    }

    private static let cases = [
        Case(
            what: "a time that spring skips is as much later",
            cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-03-28 00:00",
            ticks: ["2026-03-28 01:30", "2026-03-29 01:30", "2026-03-30 00:30"]),
        Case(
            what: "a time that autumn shows twice ticks the first time",
            cron: "30 2 * * *", zone: "Europe/Berlin", after: "2026-10-24 12:00",
            ticks: ["2026-10-25 00:30", "2026-10-26 01:30"]),
        Case(
            what: "so it does west of Greenwich",
            cron: "30 1 * * *", zone: "America/New_York", after: "2026-10-31 12:00",
            ticks: ["2026-11-01 05:30", "2026-11-02 06:30"]),
        Case(
            what: "and where the clock moves by half an hour",
            cron: "45 1 * * *", zone: "Australia/Lord_Howe", after: "2026-04-03 12:00",
            ticks: ["2026-04-03 14:45", "2026-04-04 14:45", "2026-04-05 15:15"]),
        Case(
            what: "every hour is every hour that passes, in autumn",
            cron: "*/30 * * * *", zone: "Europe/Berlin", after: "2026-10-25 00:00",
            ticks: [
                "2026-10-25 00:30", "2026-10-25 01:00", "2026-10-25 01:30", "2026-10-25 02:00",
            ]),
        Case(
            what: "and in spring",
            cron: "*/30 * * * *", zone: "Europe/Berlin", after: "2026-03-29 00:00",
            ticks: ["2026-03-29 00:30", "2026-03-29 01:00", "2026-03-29 01:30"]),
        Case(
            what: "two times that spring makes one tick once",
            cron: "30 2,3 * * *", zone: "Europe/Berlin", after: "2026-03-29 00:00",
            ticks: ["2026-03-29 01:30", "2026-03-30 00:30", "2026-03-30 01:30"]),
        Case(
            what: "a leap day comes",
            cron: "0 0 29 feb *", zone: "UTC", after: "2026-03-01 00:00",
            ticks: ["2028-02-29 00:00", "2032-02-29 00:00"]),
        Case(
            what: "days and weekdays: either will do",
            cron: "0 0 13 * fri", zone: "UTC", after: "2026-11-12 00:00",
            ticks: ["2026-11-13 00:00", "2026-11-20 00:00"]),
        Case(
            what: "ranges, steps, lists and names",
            cron: "0,30 9-10/1 * jan,nov mon-fri", zone: "UTC", after: "2026-11-20 10:00",
            ticks: ["2026-11-20 10:30", "2026-11-23 09:00"]),
        Case(
            what: "the last day of a week may be sunday",
            cron: "0 0 * * sat-sun", zone: "UTC", after: "2026-11-20 10:00",
            ticks: ["2026-11-21 00:00", "2026-11-22 00:00", "2026-11-28 00:00"]),
    ]

    private func pool() async throws -> PostgresPool {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        return PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 6)
    }

    @Test func `ticks follow the wall clock of their zone`() async throws {
        let pool = try await pool()
        for example in Self.cases {
            let ticks = try await pool.query(
                """
                SELECT to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
                FROM tenure.next_ticks(NULL, $1, $2, $3::text::timestamp AT TIME ZONE 'UTC', $4)
                     AS t (at)
                """,
                [example.cron, example.zone, example.after, Int32(example.ticks.count)]
            ) { try $0.decode(0, as: String.self) }
            #expect(ticks == example.ticks, "\(example.what)")
        }
        await pool.close()
    }

    @Test(arguments: [
        ("60 * * * *", "minute"), ("* 24 * * *", "hour"), ("* * 0 * *", "day"),
        ("* * * 13 *", "month"), ("* * * * 8", "weekday"), ("5-1 * * * *", "minute"),
        ("*/0 * * * *", "minute"), ("* * * foo *", "month"), ("* * *", "3 fields"),
        ("0 0 31 2 *", "never comes"), ("*-3 * * * *", "minute"), ("1,, * * * *", "minute"),
    ])
    func `a wrong expression is refused by its field`(cron: String, word: String) async throws {
        let pool = try await pool()
        let error = await #expect(throws: PostgresError.self) {
            try await pool.query(
                "SELECT tenure.cron_next($1, 'UTC', clock_timestamp())", [cron])
        }
        #expect(error?.sqlState == "TN003")
        #expect(error?.message.contains(word) == true, "\(String(describing: error))")
        #expect(error?.hint != nil)
        await pool.close()
    }

    /// Three coordinators look at the same moments, a quarter of an hour apart, over both changes
    /// of the clock; one of them is killed each time it has fired and not committed.
    @Test func `each tick fires once, over changes of the clock and kills`() async throws {
        let pool = try await pool()
        try await pool.simple(
            """
            SELECT tenure.put_schedule('night', NULL, '30 2 * * *', 'Europe/Berlin',
                                       '{"kind": "night"}', false);
            SELECT tenure.put_schedule('often', NULL, '*/30 * * * *', 'Europe/Berlin',
                                       '{"kind": "often"}', false);
            """)
        for (start, nights) in [("2027-03-27 00:00", 3), ("2027-10-30 00:00", 3)] {
            try await pool.simple(
                """
                TRUNCATE tenure.job;
                UPDATE tenure.schedule
                SET fired = 0,
                    next_at = tenure.cron_next(cron, zone, '\(start)'::timestamp AT TIME ZONE 'UTC')
                """)
            for quarter in 0..<(3 * 96) {
                let moment = """
                    '\(start)'::timestamp AT TIME ZONE 'UTC' + interval '\(quarter * 15) min'
                    """
                try await Self.kill(pool, moment, every: 16, quarter)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await pool.query("SELECT tenure.fire_schedules(10, \(moment))")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let count = "SELECT count(*) FROM tenure.job WHERE kind = $1"
            let night = try await pool.query(count, ["night"]) { try $0.decode(0, as: Int64.self) }
            let often = try await pool.query(count, ["often"]) { try $0.decode(0, as: Int64.self) }
            #expect(night == [Int64(nights)])
            // One for each half hour that passes, the first moment excepted.
            #expect(often == [3 * 48 - 1])
        }
        await pool.close()
    }

    /// A coordinator that has fired and dies before its commit.
    private static func kill(
        _ pool: PostgresPool, _ moment: String, every: Int, _ number: Int
    ) async throws {
        guard number % every == 0 else { return }
        _ = await #expect(throws: PostgresError.self) {
            try await pool.simple(
                """
                BEGIN;
                SELECT tenure.fire_schedules(10, \(moment));
                SELECT pg_terminate_backend(pg_backend_pid());
                COMMIT
                """)
        }
    }
}
