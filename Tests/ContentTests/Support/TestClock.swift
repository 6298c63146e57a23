import Tenure
import TenureFoundation

/// The clock of what is remembered, and of jobs that wait for their time: instead of waiting, a
/// test lets the time go by for both.
struct TestClock: Sendable {
    let pool: PostgresPool

    /// With no job running.
    func advance(by duration: Duration) async throws {
        let seconds = duration / .seconds(1)
        let ahead = try await now().timeIntervalSince(Date()) + seconds
        try await pool.simple(
            """
            BEGIN;
            CREATE OR REPLACE FUNCTION content.now() RETURNS timestamptz
            LANGUAGE sql VOLATILE PARALLEL SAFE AS
            'SELECT clock_timestamp() + interval ''\(ahead) s''';
            UPDATE tenure.job SET run_at = run_at - interval '\(seconds) s'
            WHERE run_at > clock_timestamp();
            SELECT tenure.call_lanes(array(SELECT id FROM tenure.job));
            COMMIT
            """)
    }

    func now() async throws -> Date {
        try await pool.query("SELECT content.now()") { try $0.decode(0, as: Date.self) }[0]
    }

    /// Seconds until each unfinished job's time, by key.
    func due() async throws -> [String: Double] {
        let rows = try await pool.query(
            """
            SELECT coalesce(key, id::text), extract(epoch FROM run_at - clock_timestamp())::float8
            FROM tenure.job
            """
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: Double.self)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Until no job is due. Workers have to run.
    func settled() async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            let left = try await pool.query(
                """
                SELECT count(*) FROM tenure.job
                WHERE state = 'running' OR run_at <= clock_timestamp() + interval '1 s'
                """
            ) { try $0.decode(0, as: Int64.self) }
            if left == [0] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverSettled()
    }

    struct NeverSettled: Error {}
}

/// What is remembered of a target.
struct Memory: Sendable, Equatable {
    var state: String
    var code: String?
    var failures: Int
    var firstBrokenAt: Date?
    var lastOkAt: Date?

    static func of(_ url: String, in pool: PostgresPool) async throws -> Memory? {
        try await pool.query(
            """
            SELECT state, code, failures, first_broken_at, last_ok_at
            FROM content.target WHERE id = content.digest($1)
            """, [url]
        ) {
            Memory(
                state: try $0.decode(0), code: try $0.decode(1),
                failures: Int(try $0.decode(2, as: Int32.self)),
                firstBrokenAt: try $0.decode(3), lastOkAt: try $0.decode(4))
        }.first
    }

    struct Event: Sendable {
        let at: Date
        let change: String
    }

    /// In their order.
    static func events(of url: String, in pool: PostgresPool) async throws -> [Event] {
        try await pool.query(
            """
            SELECT at, before || ' → ' || after || coalesce(' #' || fragment, '')
            FROM content.target_event WHERE target = content.digest($1) ORDER BY at
            """, [url]
        ) { Event(at: try $0.decode(0), change: try $0.decode(1)) }
    }
}
