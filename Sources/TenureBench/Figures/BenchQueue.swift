import Tenure
import TenureCLI
import TenureFoundation

/// The queue of a measurement, or several: filled while it is held, then let go and watched.
struct BenchQueue: Sendable {
    let pool: PostgresPool
    let client: TenureClient
    private let names: [QueueName]

    private static let watched = 4

    init(_ pool: PostgresPool, _ names: [QueueName] = [BenchJobs.queue]) {
        self.pool = pool
        self.names = names
        client = TenureClient(pool: pool)
    }

    var operators: Operator { Operator(client: client, as: "bench") }

    /// - Parameter keeps: whether completed jobs go to history.
    func prepare(keeps: Bool) async throws {
        _ = try await pool.execute(KeepCompleted(names: names, keeps: keeps))
        try await pause()
    }

    func pause() async throws { _ = try await pool.execute(HoldQueues(names: names)) }

    /// In one transaction, and one wake-up of each: a thousand queues shall start together.
    func resume() async throws {
        _ = try await pool.execute(LetGoQueues())
        await client.notifier.send(names.map(Wakeup.available(in:)))
    }

    /// Enqueues in bulk, one transaction after the other.
    /// - Returns: their ids, in order.
    @discardableResult
    func fill(
        _ count: Int, bulk: Int = BenchRun.bulk,
        _ make: (Int) throws -> NewJob = { _ in try NewJob(BenchNoop()) }
    ) async throws -> [UUID] {
        var ids: [UUID] = []
        ids.reserveCapacity(count)
        for start in stride(from: 0, to: count, by: bulk) {
            let jobs = try (start..<min(start + bulk, count)).map(make)
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

    /// Lets the queues go and waits until the last of the jobs has ended.
    /// - Returns: how long it took, in seconds, and how often was looked.
    @discardableResult
    func drain(_ ids: [UUID]) async throws -> (seconds: Double, looks: Int) {
        let start = ContinuousClock.now
        try await resume()
        let (end, looks) = try await ended(ids)
        return (start.duration(to: end) / .seconds(1), looks)
    }

    func waitUntilEnded(_ ids: [UUID]) async throws { _ = try await ended(ids) }

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

/// Says of queues whether history keeps their completed jobs.
struct KeepCompleted: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, keep_completed)
        SELECT n.name, $2 FROM unnest($1::text[]) AS n (name)
        ON CONFLICT (name) DO UPDATE SET keep_completed = EXCLUDED.keep_completed
        """
    let names: [QueueName]
    let keeps: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(names.map(\.rawValue))
        try parameters.append(keeps)
    }
}

/// Pauses them all.
struct HoldQueues: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, paused_at, paused_by)
        SELECT n.name, clock_timestamp(), 'bench' FROM unnest($1::text[]) AS n (name)
        ON CONFLICT (name) DO UPDATE
        SET paused_at = EXCLUDED.paused_at, paused_by = EXCLUDED.paused_by
        """
    let names: [QueueName]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(names.map(\.rawValue))
    }
}

struct LetGoQueues: PostgresStatement {
    static let sql = """
        UPDATE tenure.queue SET paused_at = NULL, paused_by = NULL WHERE paused_at IS NOT NULL
        """
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
