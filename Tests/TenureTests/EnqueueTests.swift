import TenureFoundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// The ways in: whichever an enqueue takes, the job is the same.
@Suite struct EnqueueTests {
    private static func pool(_ options: String = "") async throws -> PostgresPool {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase() + options
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        return pool
    }

    private static func jobs(_ mode: KeyMode?) throws -> [NewJob] {
        var full = EnqueueOptions()
        full.batch = UUID()
        full.parent = JobID()
        full.trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        full.runTime = .after(.seconds(90))
        var dated = EnqueueOptions()
        dated.runTime = .at(Date(timeIntervalSinceReferenceDate: 2_000_000_000))
        var past = EnqueueOptions()
        past.runTime = .at(Date(timeIntervalSinceReferenceDate: 0))
        return [
            try NewJob(kind: "k", payload: #"{"text": "ä \" \\ 漢"}"#, mode),
            try NewJob(
                kind: "k", payload: "[1]", payloadVersion: 3, mode, queue: "q", priority: .urgent,
                maxAttempts: 7, options: full),
            try NewJob(kind: "k", payload: "2.50", mode, options: dated),
            try NewJob(kind: "k", payload: "1", mode, options: past),
            try NewJob(kind: "k", payload: "null", mode),
        ]
    }

    /// What a job's row says, but for its id and the moment.
    private static func row(of id: JobID, _ pool: PostgresPool) async throws -> String {
        try await pool.query(
            """
            SELECT concat_ws('|', j.kind, j.queue, j.key, j.payload, j.payload_version, j.priority,
                j.max_attempts, j.state, j.calendar, j.batch_id, j.parent_id, j.trace, j.lane,
                j.waits_for_key, j.attempt,
                CASE WHEN j.calendar OR j.run_at < j.created_at - interval '1 day'
                     THEN j.run_at::text
                     ELSE round(extract(epoch FROM j.run_at - j.created_at) / 10)::text END)
            FROM tenure.job j WHERE j.id = $1
            """, [id.uuid]
        ) { try $0.decode(0, as: String.self) }.first ?? "no row"
    }

    @Test(arguments: [nil, .superseding("a", overlap: .forbidden)] as [KeyMode?])
    func `A job is the same by every way in`(mode: KeyMode?) async throws {
        let pool = try await Self.pool()
        for job in try Self.jobs(mode) {
            var rows: [String] = []
            try await pool.query(
                "SELECT count(*) FROM tenure.enqueue_jobs($1::text::jsonb)",
                [NewJob.json(of: [job])])
            rows.append(try await Self.row(of: job.id, pool))
            func again<Statement: PostgresStatement>(_ statement: Statement) async throws {
                try await pool.query("DELETE FROM tenure.job")
                let answer = try await pool.commit(alone: statement)
                #expect(answer?.count == 1)
                rows.append(try await Self.row(of: job.id, pool))
            }
            try await again(EnqueueJobs([job]))
            if let mode {
                try await again(Supersede(job: job, mode: mode, ifKept: true))
            } else {
                try await again(InsertJob(job: job, ifKept: true))
                try await again(InsertJobs(jobs: [job], ifKept: true))
            }
            #expect(Set(rows).count == 1, "\(rows)")
        }
        await pool.close()
    }

    @Test func `Jobs of one call stand in its order`() async throws {
        let pool = try await Self.pool()
        let jobs = try (0..<300).map { _ in try NewJob(kind: "k", payload: "{}", nil) }
        _ = try await TenureClient(pool: pool).enqueue(jobs.reversed())
        let ids = try await pool.query("SELECT id FROM tenure.job ORDER BY run_at, id") {
            JobID(try $0.decode(0, as: UUID.self))
        }
        // Within a microsecond the id decides: few have to wait for that.
        let moved = zip(ids, jobs.reversed()).count { $0 != $1.id }
        #expect(moved < 100, "\(moved)")
        await pool.close()
    }

    @Test(arguments: [nil, .superseding("a"), .keeping("a")] as [KeyMode?], [1, 2])
    func `No enqueue is acknowledged that a crash could undo`(
        mode: KeyMode?, count: Int
    ) async throws {
        let pool = try await Self.pool(" options='-c synchronous_commit=off'")
        try await pool.simple(
            """
            CREATE TABLE seen (setting text);
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql
            SET search_path FROM CURRENT AS $$ BEGIN
                INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL;
            END $$;
            CREATE TRIGGER see AFTER INSERT ON tenure.job FOR EACH ROW EXECUTE FUNCTION see()
            """)
        let client = TenureClient(pool: pool)
        let jobs = try (0..<count).map { _ in try NewJob(kind: "k", payload: "{}", mode) }
        _ = try await client.enqueue(jobs)
        let others = try jobs.map { try $0.renamed }
        try await pool.transaction { try client.enqueue(others, in: $0) }
        let seen = try await pool.query("SELECT DISTINCT setting FROM seen") {
            try $0.decode(0, as: String.self)
        }
        #expect(seen == ["on"])
        await pool.close()
    }

    /// The program may turn it off again between the enqueue, which it has sent early, and COMMIT.
    @Test(arguments: [nil, .superseding("a")] as [KeyMode?])
    func `What sets synchronous_commit off after an enqueue doesn't reach its COMMIT`(
        mode: KeyMode?
    ) async throws {
        let pool = try await Self.pool()
        try await pool.simple(
            """
            CREATE TABLE seen (setting text);
            CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql
            SET search_path FROM CURRENT AS $$ BEGIN
                INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER see AFTER INSERT ON tenure.job
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see()
            """)
        let client = TenureClient(pool: pool)
        let jobs = [try NewJob(kind: "k", payload: "{}", mode)]
        try await pool.transaction { transaction in
            try client.enqueue(jobs, in: transaction)
            try transaction.addBeforeCommit { transaction in
                try await transaction.query("SET LOCAL synchronous_commit = off")
            }
        }
        let seen = try await pool.query("SELECT setting FROM seen") {
            try $0.decode(0, as: String.self)
        }
        #expect(seen == ["on"])
        await pool.close()
    }

    @Test(arguments: [nil, .superseding("a")] as [KeyMode?])
    func `Nothing goes alone whose row could be gone before it is asked for`(
        mode: KeyMode?
    ) async throws {
        let pool = try await Self.pool()
        try await pool.query(
            "INSERT INTO tenure.queue (name, keep_completed) VALUES ('default', false)")
        let jobs = [try NewJob(kind: "k", payload: "{}", mode)]
        if let mode {
            let answer = try await pool.commit(
                alone: Supersede(job: jobs[0], mode: mode, ifKept: true))
            #expect(answer?.rows == [nil])
        } else {
            let one = try await pool.commit(alone: InsertJob(job: jobs[0], ifKept: true))
            let many = try await pool.commit(alone: InsertJobs(jobs: jobs, ifKept: true))
            #expect(one?.count == 0 && many?.rows == [0])
        }
        #expect(try await pool.commit(alone: EnqueueJobs(jobs, ifKept: true))?.count == 0)
        #expect(try await pool.query("SELECT FROM tenure.job") == 0)
        #expect(try await TenureClient(pool: pool).enqueue(jobs)[0].id == jobs[0].id)
        #expect(try await pool.query("SELECT FROM tenure.job") == 1)
        await pool.close()
    }

    @Test func `A key that a bulk names thousands of times takes no quadratic time`() async throws {
        let pool = try await Self.pool()
        let client = TenureClient(pool: pool)
        func time(_ count: Int) async throws -> Duration {
            let jobs = try (0..<count).map {
                try NewJob(kind: "k", payload: "\($0)", .superseding("a"))
            }
            return try await ContinuousClock().measure { _ = try await client.enqueue(jobs) }
        }
        _ = try await time(50)  // prepared
        let few = try await time(400)
        let many = try await time(3200)
        #expect(many < few * 24, "\(few) for 400, \(many) for 3,200")
        let left = try await pool.query("SELECT payload FROM tenure.job") {
            try $0.decode(0, as: PostgresJSON.self).text
        }
        #expect(left == ["3199"])
        await pool.close()
    }
}

extension NewJob {
    /// The same with another id.
    fileprivate var renamed: NewJob {
        get throws {
            try NewJob(
                kind: kind, payload: payload, payloadVersion: payloadVersion, mode, queue: queue,
                options: options)
        }
    }
}
