import Tenure
import TenureTestKit
import TenureWorker
import Testing

protocol Bank: Sendable {
    func sync(_ account: Int) async throws
}

struct BankIsBusy: Error {}

struct SyncAccount: Job {
    static let kind: JobKind = "sync-account"
    static let options = JobOptions<Self>(
        queue: "sync", retry: RetryPolicy(maxAttempts: 5) { attempt in .seconds(30 * attempt) })
    let account: Int
}

func register(_ jobs: inout JobRegistry, _ bank: any Bank) {
    jobs.handle(SyncAccount.self) { job, context in
        guard job.account > 0 else { return .discard(reason: "there is no such account") }
        do { try await bank.sync(job.account) } catch is BankIsBusy {
            return .snooze(for: .seconds(60))  // no failure, and no attempt
        }
        return .completed
    }
}

func enqueueSyncs(_ client: TenureClient, _ pool: PostgresPool) async throws -> [JobID] {
    let job = try await client.enqueue(SyncAccount(account: 7))

    let kept = try await client.enqueue(SyncAccount(account: 7), .keeping("account-7"))
    // kept.result is .kept where the key had an unfinished job, and kept.id is that job's
    let hourly = try await client.enqueue(
        SyncAccount(account: 7), .keeping(JobKey.of("account", 7), within: .seconds(3600)))

    let later = try await client.enqueue(
        SyncAccount(account: 8), options: EnqueueOptions(runTime: .after(.seconds(3600))))

    try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO account (id) VALUES ($1)", [9])
        try client.enqueue(SyncAccount(account: 9), in: transaction)
    }

    try await Operator(client: client, as: "ada").cancel(later.id)

    let newest = try await client.enqueue(SyncAccount(account: 7), .superseding("account-7"))
    return [job.id, kept.id, later.id, newest.id, hourly.id]
}

func syncsAreTested(_ pool: PostgresPool, _ bank: any Bank) async throws {
    var jobs = JobRegistry()
    register(&jobs, bank)
    let queue = TestQueue(pool: pool, jobs: jobs)
    try await queue.client.enqueue(SyncAccount(account: 7))

    #expect(try await queue.enqueued(SyncAccount.self).map(\.job.account) == [7])
    let runs = try await queue.drain()
    #expect(runs.map(\.became) == [.completed])
}
