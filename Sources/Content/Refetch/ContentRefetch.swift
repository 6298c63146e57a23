// docs/decisions/refetching.md

public import Tenure
import TenureWorker

/// A round of refetching: enqueues fetches of items that are due. Coordinators enqueue it every
/// minute, one at a time.
public struct ContentRefetch: Job {
    public static let kind: JobKind = "content-refetch"
    public static let options = JobOptions<Self>(
        priority: ContentPriority.refetch, timeout: .seconds(300))
    package static let interval: Duration = .seconds(60)

    public init() {}

    func run(
        _ configuration: ContentConfiguration, pool: PostgresPool, context: JobContext
    ) async throws -> JobOutcome {
        var round = RefetchRound(configuration: configuration, pool: pool, context: context)
        try await round.run()
        return .completed
    }
}
