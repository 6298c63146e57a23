import Tenure
import TenurePostgres
import TenureSystem
import TestSupport

/// A database with the world in it, and the four who work on it: the two sides, the keeper who
/// stops the first one, and the watcher.
struct Bench: Sendable {
    let sideA: PostgresConnection
    let sideB: PostgresConnection
    let keeper: PostgresConnection
    let watcher: PostgresConnection
    private let openedAt = ContinuousClock.now

    /// What lies ahead in the world, an hour at least, has not come yet.
    var isFresh: Bool { openedAt.duration(to: .now) < .seconds(1800) }

    static func open() async throws -> Bench {
        let conninfo = try await cluster.value.makeDatabase()
        let setup = try await PostgresConnection.connect(try PostgresConfiguration(conninfo))
        defer { setup.close() }
        try await setup.simple("SET client_min_messages = warning; CREATE SCHEMA tenure")
        for text in MigrationSet.tenure.texts { try await setup.simple(text) }
        // The world is small: one job is many.
        try await setup.simple(
            """
            CREATE OR REPLACE FUNCTION tenure.least_folded() RETURNS integer
            LANGUAGE sql IMMUTABLE AS $$ SELECT 1 $$
            """)
        try await setup.simple(World.sql)
        try await setup.simple(Probe.sql)
        try await setup.simple(Violations.sql)
        try await setup.query("SELECT probe.reset()")
        try await setup.simple("ANALYZE")
        let bench = Bench(
            sideA: try await connect(conninfo), sideB: try await connect(conninfo),
            keeper: try await connect(conninfo), watcher: try await connect(conninfo))
        for gate in Gate.all {
            try await bench.change(gate.function) { text throws(NoSuchText) in try text.add(gate) }
        }
        return bench
    }

    /// Thousands of small transactions, none of which must survive anything.
    private static let cluster = Task {
        guard getenv("TENURE_TEST_DATABASE") == nil else { return try await TestPostgres.shared() }
        return try await TestPostgres.dedicated(
            settings: ["fsync": "off", "full_page_writes": "off", "autovacuum": "off"])
    }

    func close() {
        for connection in [sideA, sideB, keeper, watcher] { connection.close() }
    }

    /// Replaces a function by a changed one; returns the text it had.
    @discardableResult
    func change(
        _ function: String, _ body: (inout FunctionText) throws(NoSuchText) -> Void
    ) async throws -> String {
        let texts = try await keeper.query(
            """
            SELECT pg_get_functiondef(p.oid) FROM pg_proc p
            WHERE p.pronamespace = 'tenure'::regnamespace AND p.proname = $1
              AND p.prosrc NOT LIKE '%jsonb_to_recordset(endings)%'
            """, [function]
        ) { try $0.decode(0, as: String.self) }
        var changed = FunctionText(text: texts[0])
        try body(&changed)
        try await keeper.simple(changed.text)
        return texts[0]
    }

    func reset(_ operations: Operation...) async throws {
        try await keeper.query("SELECT probe.reset()")
        for case let prepare? in operations.map(\.prepare) { try await keeper.query(prepare) }
    }

    /// Every reset leaves dead rows behind, and whoever reads a table reads them, too: with this at
    /// every sixteenth, a run takes half of what it took at every fiftieth; more often, plans are
    /// made anew too often.
    func vacuum() async throws {
        try await keeper.simple(
            """
            VACUUM (INDEX_CLEANUP ON) tenure.job, tenure.subject, tenure.subject_lock,
                tenure.session, tenure.lane, tenure.claim_row,
                tenure.queue, tenure.leader, tenure.schedule, tenure.job_history,
                tenure.attempt_error, tenure.job_wait, tenure.job_after, tenure.key_wait,
                tenure.job_end, tenure.job_letter, tenure.given_id, tenure.kept_key,
                tenure.lane_hold, tenure.lane_holders, tenure.session_begun,
                tenure.queue_holders, probe.log, app.page, app.effect
            """)
    }

    /// A deadlock is found soon, and a wait for ever is an error.
    private static func connect(_ conninfo: String) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(try PostgresConfiguration(conninfo))
        try await connection.simple(
            """
            SET deadlock_timeout = '20ms'; SET statement_timeout = '10s';
            SET jit = off; SET plan_cache_mode = force_generic_plan;
            SET client_min_messages = warning
            """)
        return connection
    }
}
