public import Logging
public import Tenure
import TenurePostgres
public import TenureWorker

/// The jobs of a test's database, run one after the other in the test's own process.
///
/// Claims, commits behind the fence, retries and limits are the real ones, by the worker's own
/// code and the database's functions. Left out is what a worker does beside its jobs: it doesn't
/// listen or beat, so a run is not told that it was cancelled or superseded before it commits
/// (`TestRun` stops one in the middle). Handlers run in child tasks of the test's task: what they
/// expect or record belongs to the test.
///
/// Give each test a database of its own, with `Migrator(pool:).up()`, and no worker beside it.
public struct TestQueue: Sendable {
    /// What producers under test enqueue with.
    public let client: TenureClient
    let pool: PostgresPool
    private let jobs: JobRegistry
    private let logger: Logger

    /// - Parameters:
    ///   - jobs: the kinds that `drain` runs. Others stay where they are.
    ///   - codec: how what jobs carry is stored, as for a client and a worker.
    public init(
        pool: PostgresPool, jobs: JobRegistry = JobRegistry(), codec: (any PayloadCodec)? = nil,
        logger: Logger = Logger(label: "tenure.test")
    ) {
        self.pool = pool
        self.jobs = jobs
        self.logger = logger
        client = TenureClient(pool: pool, codec: codec, logger: logger)
    }

    /// Runs what is due until nothing is, follow-ups too: the queues by name, in each the jobs in
    /// the order of claims.
    ///
    /// A job whose handler throws stays behind as `retryable`, one that is put off as `scheduled`,
    /// unless `ahead` reaches it.
    /// - Parameters:
    ///   - queues: which ones, in this order; all of them when empty.
    ///   - ahead: as if so much time went by, with a worker there: whenever nothing is due any
    ///     more, the job that is next to come due within that time, counted from the drain's start,
    ///     is made due. What a run puts off from there is that much later. Only times of jobs move:
    ///     the database's clock and this process's stay as they are, and with them lanes' intervals
    ///     and holds, and when jobs expire: ``pass(_:)`` first for those.
    ///   - limit: how many runs are too many: an alarm, since a job that always enqueues another
    ///     would never end. It doesn't stop a drain halfway.
    /// - Returns: the runs, in their order, and in `waiting` what was due and stayed behind: for a
    ///   lane that is full, paced or on hold, for a queue or a kind that is paused, for a handler
    ///   that isn't registered; or in another queue, where one that was named never had a job.
    /// - Throws: `TestKitError` when the limit is reached and something is still due; what the
    ///   database throws. What handlers throw is in the reports.
    @discardableResult
    public func drain(
        _ queues: [QueueName] = [], ahead: Duration = .zero, limit: Int = 1000
    ) async throws -> DrainedJobs {
        try await TestSession.with(client, jobs, on: ReactorTime(.shared), logger) { worker in
            var reports: [RunReport] = []
            var agenda = Agenda(ahead: ahead)
            while let run = try await next(queues, &agenda, worker) {
                guard reports.count < limit else {
                    run.right.end(.shutdown)
                    _ = try await worker.run(run)  // handed back: it never starts
                    throw TestKitError(
                        "after \(limit) runs something is still due, job \(run.job.run.job) of "
                            + "kind \(run.job.run.kind): raise the limit, or see what enqueues it")
                }
                reports.append(try RunReport(try await worker.run(run), client.seals))
            }
            let names = try await self.names(of: queues)
            let waiting = WaitingJobs(inspector: Inspector(pool: pool), kinds: worker.kinds)
            var found = try await waiting.found(in: names)
            if !queues.isEmpty {
                found += try await waiting.found(besides: queues, of: try await self.names(of: []))
            }
            return DrainedJobs(runs: reports, waiting: found)
        }
    }

    private func next(
        _ queues: [QueueName], _ agenda: inout Agenda, _ worker: InlineWorker
    ) async throws -> Run? {
        while true {
            let names = try await names(of: queues)
            for queue in names {
                if let run = try await worker.claim(from: queue) { return run }
            }
            if try await worker.settleEnds() { continue }
            let expired = try await expire()
            if !expired.jobs.isEmpty || !expired.batches.isEmpty { continue }
            let inspector = Inspector(pool: pool)
            guard let job = try await agenda.next(in: names, of: worker.kinds, inspector) else {
                return nil
            }
            _ = try await pool.ask(EndTimedWaits(job: job))
            guard try await Operator(client: client, as: "test kit").retry(job) != nil
            else { return nil }
        }
    }

    /// All of them where none is named.
    private func names(of queues: [QueueName]) async throws -> [QueueName] {
        queues.isEmpty ? try await Inspector(pool: pool).queues().map(\.name) : queues
    }

    /// Lets time go by in which no worker is there: jobs come due and expire, waits end, and lanes'
    /// intervals and holds pass. What has expired is discarded then. Only times in the database's
    /// rows move, by so much into the past; its clock and this process's stay as they are.
    /// - Parameter time: zero or more.
    /// - Throws: `TestKitError` for less; what the database throws.
    public func pass(_ time: Duration) async throws {
        guard time >= .zero else {
            throw TestKitError("\(time) can't pass; give zero or more")
        }
        _ = try await pool.ask(PassTime(time: time))
        _ = try await expire()
    }

    private func expire() async throws -> (jobs: [ExpiredJob], batches: [SettledBatch]) {
        try await ExpirySweep(pool: pool, notifier: client.notifier).run()
    }

    /// The pending jobs of a kind, the oldest first: what has been enqueued and not run yet, or
    /// will be run again.
    /// - Parameters:
    ///   - queue: only those of this queue.
    ///   - key: only those of this key.
    /// - Throws: `TestKitError`, with the payload, when one doesn't decode.
    public func enqueued<J: Job>(
        _ type: J.Type = J.self, in queue: QueueName? = nil, key: String? = nil
    ) async throws -> [PendingJob<J>] {
        var jobs: [PendingJob<J>] = []
        for row in try await pool.ask(ListPending(kind: J.kind, queue: queue, key: key)) {
            let place = SealedPlace(.payload, of: row.id, kind: J.kind, key: row.key)
            jobs.append(try PendingJob(row, try await client.opened(row.payload, at: place)))
        }
        return jobs
    }
}
