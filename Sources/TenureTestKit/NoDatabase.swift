import Logging
import Tenure
import TenureFoundation
import TenurePostgres
import TenureWorker

/// What a run meets that has no database: nothing is stored, and its end comes to what the
/// database would make of it.
struct NoDatabase: RunStore {
    let job: ClaimedJob

    /// Refuses whatever needs a database, at once, and says why.
    static func client(
        _ logger: Logger, codec: (any PayloadCodec)?
    ) throws -> TenureClient {
        let refusal = PostgresError(
            .misuse, "this TestRun has no database, and its handler asked for one",
            hint: "Give it a test's own, migrated: TestRun(job, on: pool)")
        return TenureClient(
            pool: PostgresPool(
                refusal: refusal,
                configuration: try PostgresConfiguration(
                    "host=/this-TestRun-has-no-database:-give-it-a-pool dbname=none"),
                logger: logger), codec: codec, logger: logger)
    }

    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        Dictionary(
            // What another driver's transaction is said to have written can't be looked at.
            endings.map {
                ($0.run, .ended($0.saidToBe == nil ? .job(became($0.wanted)) : .late))
            },
            uniquingKeysWith: { first, _ in first })
    }

    private func became(_ wanted: RunEnding.Wanted) -> JobStatus {
        switch wanted {
        case .failed: job.run.attempt < job.maxAttempts ? .retryable : .discarded
        case .snoozed: .scheduled
        case .handedBack, .unbegun: .available
        case .completed: .completed
        case .discarded: .discarded
        case .cancelled: .cancelled
        case .superseded: .superseded
        case .held: .held
        case .waits: .waiting
        }
    }

    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] { [job] }
    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime { DueTime(dueIn: nil, isGuarded: false) }
    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] { [] }
    func verdicts(of runs: [RunRef]) async throws -> [(run: RunRef, verdict: Verdict)] { [] }
    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int { 0 }
    func announce(_ queues: [QueueName]) async {}
    func makePartitions() async throws {}
}
