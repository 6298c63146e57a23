import FoundationEssentials
import Tenure

/// The queue of a measurement: filled while it is paused, then let go and watched.
struct BenchQueue: Sendable {
    let pool: PostgresPool
    let client: TenureClient

    private static let watched = 4

    init(_ pool: PostgresPool) {
        self.pool = pool
        client = TenureClient(pool: pool)
    }

    var operators: Operator { Operator(client: client, as: "bench") }

    /// - Parameter keeps: whether completed jobs go to history.
    func prepare(keeps: Bool) async throws {
        _ = try await pool.execute(KeepCompleted(keeps: keeps))
        try await pause()
    }

    func pause() async throws { try await operators.pause(BenchJobs.queue) }
    func resume() async throws { try await operators.resume(BenchJobs.queue) }

    /// Enqueues in bulk, one transaction after the other.
    /// - Returns: their ids, in order.
    @discardableResult
    func fill(
        _ count: Int, _ make: (Int) throws -> NewJob = { _ in try NewJob(BenchNoop()) }
    ) async throws -> [UUID] {
        var ids: [UUID] = []
        ids.reserveCapacity(count)
        for start in stride(from: 0, to: count, by: BenchRun.bulk) {
            let jobs = try (start..<min(start + BenchRun.bulk, count)).map(make)
            try await client.enqueue(jobs)
            ids += jobs.map(\.id.uuid)
        }
        return ids
    }

    /// Vacuumed, with fresh statistics, and written out, so that each run finds the same.
    func settle(_ table: String = "tenure.job") async throws {
        try await pool.query("VACUUM (ANALYZE) \(table)")
        do {
            try await pool.query("CHECKPOINT")
        } catch let error as PostgresError where error.sqlState == "42501" {
            // The user may make none: then runs differ by more.
        }
    }

    /// Lets the queue go and waits until the last of the jobs has ended.
    /// - Returns: how long it took, in seconds, and how often was looked.
    @discardableResult
    func drain(_ ids: [UUID]) async throws -> (seconds: Double, looks: Int) {
        let start = ContinuousClock.now
        try await resume()
        let (end, looks) = try await ended(ids)
        return (start.duration(to: end) / .seconds(1), looks)
    }

    /// When the last of the jobs was gone, to ten milliseconds. Few are asked for at a time, those
    /// that were put in last, and not often: asking shall cost nothing that counts.
    private func ended(
        _ ids: [UUID]
    ) async throws -> (end: ContinuousClock.Instant, looks: Int) {
        var looks = 0
        var watched = Array(ids.suffix(Self.watched))
        let limit = ContinuousClock.now + .seconds(1800)
        while true {
            let left = try await pool.execute(UnfinishedJobs(ids: watched))
            looks += 1
            let now = ContinuousClock.now
            if !left.isEmpty {
                watched = left
            } else {
                let all = try await pool.execute(UnfinishedJobs(ids: ids))
                watched = Array(all.prefix(Self.watched))
                looks += 1
                if watched.isEmpty { return (now, looks) }
            }
            guard now < limit else { throw Failure("the jobs were not done in half an hour") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// Which of the jobs are unfinished.
struct UnfinishedJobs: PostgresStatement {
    static let sql = "SELECT j.id FROM tenure.job j WHERE j.id = ANY ($1)"
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}

/// Says of the benchmark's queue whether history keeps its completed jobs.
struct KeepCompleted: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, keep_completed) VALUES ('bench', $1)
        ON CONFLICT (name) DO UPDATE SET keep_completed = EXCLUDED.keep_completed
        """
    let keeps: Bool

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(keeps) }
}

/// How much WAL the server has written since it was made, in bytes.
struct ReadWAL: PostgresStatement {
    static let sql = "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"
    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

/// How many transactions of the database have been committed, as far as their connections have
/// said so: within a second, or when they close.
struct CountCommits: PostgresStatement {
    static let sql = """
        SELECT d.xact_commit FROM pg_stat_database d WHERE d.datname = current_database()
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
