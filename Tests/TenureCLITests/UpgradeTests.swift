import Foundation
import Tenure
import TestSupport
import Testing

/// Workers of one release on the schema of another: docs/decisions/upgrades.md.
@Suite struct UpgradeTests {
    /// What a later release may do to the tables while workers are at work.
    private static let expansion = Migration(
        name: "9998_expand.sql",
        sql: """
            -- Adds to every table that a worker reads or writes.
            -- Serves from: \(MigrationSet.tenure.migrations.last?.name ?? "")
            ALTER TABLE tenure.job ADD COLUMN extra text NOT NULL DEFAULT 'new';
            ALTER TABLE tenure.job_history ADD COLUMN extra text;
            ALTER TABLE tenure.subject ADD COLUMN extra text;
            ALTER TABLE tenure.session ADD COLUMN extra text;
            ALTER TABLE tenure.queue ADD COLUMN extra text;
            ALTER TABLE tenure.migration ADD COLUMN extra text;
            CREATE INDEX job_extra ON tenure.job (extra) WHERE extra <> 'new';
            CREATE FUNCTION tenure.later() RETURNS integer LANGUAGE sql AS 'SELECT 1';
            """)
    private static let contraction = Migration(
        name: "9999_contract.sql",
        sql: """
            -- Takes something away that this program may need.
            DROP FUNCTION tenure.later();
            """)

    private let fixture: Fixture
    /// A migrator waits on one of its connections while a transaction is open on another.
    private let pool: PostgresPool

    init() async throws {
        fixture = try await Fixture()
        pool = PostgresPool(
            configuration: try PostgresConfiguration(fixture.conninfo), size: 4,
            acquireDeadline: .seconds(60))
    }

    private func migrator(_ more: Migration...) -> Migrator {
        var set = MigrationSet.tenure
        set.migrations += more
        return Migrator(pool: pool, set)
    }

    private func worker() throws -> RunningCommand {
        try fixture.tenure.start("worker", "--lease=3s", "--queue=default:4", "--poll=1s")
    }

    /// Ten jobs, each with a key: they go through every table.
    private func enqueue() async throws {
        for number in 0..<10 {
            _ = try await fixture.pool.query(
                """
                SELECT result
                FROM tenure.enqueue(
                    'demo-sleep', $1::jsonb, key => $2, mode => 'keeping', notify => true)
                """,
                [#"{"seconds": 0.05}"#, "\(number)-\(UUID())"]
            ) { try $0.decode(0, as: String.self) }
        }
    }

    private func completed() async throws -> Int64 {
        try await fixture.value(
            "SELECT count(*) FROM tenure.job_history WHERE outcome = 'completed'")
    }

    private func drained() async throws {
        try await fixture.eventually(
            "the jobs are done", "SELECT count(*) = 0 FROM tenure.job")
        let odd = try await pool.query(
            """
            SELECT outcome || ', ' || attempt || ' attempts: ' || coalesce(reason, '')
            FROM tenure.job_history WHERE outcome <> 'completed' OR attempt > 1
            """
        ) { try $0.decode(0, as: String.self) }
        #expect(odd.isEmpty, "no attempt was lost")
    }

    private func sessions(_ count: Int) async throws {
        try await fixture.eventually(
            "\(count) sessions", "SELECT count(*) = \(count) FROM tenure.session")
        let alive = try await fixture.value(
            "SELECT count(*) FROM tenure.session WHERE ended_at IS NULL", as: Int64.self)
        #expect(alive == count, "no lease was lost")
    }

    @Test func `a worker claims on while an additive migration is applied`() async throws {
        let worker = try worker()
        try await enqueue()
        try await drained()
        try await migrator(Self.expansion).up()
        for _ in 0..<5 { try await enqueue() }
        try await drained()
        #expect(try await completed() == 60)
        try await sessions(1)

        // The same release starts anew on it: after a crash, or back from a newer one.
        let status = try await fixture.tenure.run("migrate", "status")
        #expect(status.code == 0)
        #expect(status.output.contains(#/9998_expand\.sql +ahead/#), "\(status.output)")
        let up = try await fixture.tenure.run("migrate", "up")
        #expect(up.output == "the schema is current\n", "\(up.errors)")
        let second = try self.worker()
        try await sessions(2)
        for one in [worker, second] {
            one.send(SIGTERM)
            let result = try await one.result()
            #expect(result.code == 0)
            let odd = result.errors.split(separator: "\n").filter {
                $0.contains(#/ (warning|error|critical) /#)
            }
            #expect(odd == [])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a migration that has to wait for a table holds nobody up`() async throws {
        let worker = try worker()
        try await sessions(1)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (over, end) = AsyncStream.makeStream(of: Void.self)
        async let reader: Void = pool.transaction { transaction in
            _ = try await transaction.query("SELECT count(*) FROM tenure.job")
            hold.finish()
            for await _ in over {}
        }
        for await _ in held {}
        async let applied = migrator(Self.expansion).up()
        // Longer than the lease: a beat that stood behind the migrator would have lost it.
        let clock = ContinuousClock()
        let begin = clock.now
        var before = try await completed()
        while clock.now < begin + .seconds(6) {
            try await enqueue()
            let since = before
            try await eventually("jobs complete meanwhile") { try await completed() > since }
            before = try await completed()
        }
        let pending = try await migrator(Self.expansion).status().filter { $0.state == .pending }
        #expect(pending.map(\.name) == ["9998_expand.sql"], "nothing of it is there")
        end.finish()
        try await reader
        #expect(try await applied == ["9998_expand.sql"])
        try await enqueue()
        try await drained()
        try await sessions(1)
        worker.send(SIGTERM)
        let result = try await worker.result()
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test func `a contraction stops nobody who runs, and no older one starts`() async throws {
        try await migrator(Self.expansion).up()
        let worker = try worker()
        try await sessions(1)
        try await migrator(Self.expansion, Self.contraction).up()
        try await enqueue()
        try await drained()
        let late = try await fixture.tenure.run("worker")
        #expect(late.code == 2)
        #expect(late.errorLines.count == 1, "\(late.errors)")
        #expect(late.errors.contains("newer than this program: it has 9999_contract.sql"))
        try await sessions(1)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    @Test func `an older release leaves the functions of a newer one, and says so`() async throws {
        var newer = MigrationSet.tenure
        newer.migrations.append(Self.expansion)
        newer.functions.append(
            FunctionFile(
                name: "later/newest.sql",
                sql: """
                    -- Of the newer release alone.
                    CREATE OR REPLACE FUNCTION tenure.newest() RETURNS integer
                    LANGUAGE sql AS 'SELECT 2';
                    """))
        try await Migrator(pool: pool, newer).up()
        let up = try await fixture.tenure.run("migrate", "up")
        #expect(up.code == 0, "\(up.errors)")
        #expect(up.output == "the functions of tenure are a newer release's, and stay\n")
        let status = try await fixture.tenure.run("migrate", "status")
        #expect(status.code == 0)
        #expect(status.output.contains(#/tenure +functions +ahead/#), "\(status.output)")
        let doctor = try await fixture.tenure.run("doctor")
        #expect(doctor.output.contains("ok    schema: tenure is a newer release's\n"))
        #expect(try await fixture.value("SELECT tenure.newest()", as: Int32.self) == 2)
    }

    @Test func `a worker on a schema that is behind says what it lacks in one line`() async throws {
        let behind = try await Fixture(migrated: false)
        var older = MigrationSet.tenure
        let last = try #require(older.migrations.popLast()?.name)
        older.functions = []  // of a release that had none: this one's need the last migration
        try await Migrator(pool: behind.pool, older).up()
        for command in ["worker", "coordinator"] {
            let result = try await behind.tenure.run(command)
            #expect(result.code == 2)
            #expect(result.errorLines.count == 1, "\(result.errors)")
            #expect(result.errors.contains("lacks \(last); run: tenure migrate up"))
        }
        #expect(try await behind.tenure.run("migrate", "up").code == 0)
        let worker = try behind.tenure.start("worker")
        try await behind.eventually("it runs", "SELECT count(*) = 1 FROM tenure.session")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }
}
