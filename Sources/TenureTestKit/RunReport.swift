public import Tenure
import TenureFoundation
import TenureWorker

/// What happened in one run of a job, and what the job is since.
public struct RunReport: Sendable {
    public let job: JobID
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    /// 1 for the first run that counted.
    public let attempt: Int
    /// What the job became: `completed`, `discarded`, `cancelled` or `superseded`; `retryable`
    /// after a failure that is tried again, `scheduled` after a snooze, `available` when it was
    /// handed back, `held` when its payload couldn't be read. nil when the run was late: the job
    /// had been taken away from it, and nothing of what it committed is there.
    public let became: JobStatus?
    /// What the handler threw.
    public let error: (any Error)?
    /// Why it was discarded or held, or how it failed.
    public let reason: String?
    /// Until it is tried again, for a failure or a snooze that the handler returned.
    public let pause: Duration?
    /// Why its right to go on ended, if it did.
    public let endReason: EndReason?
    /// All that it reported, in order.
    public let progress: [JobProgress]
    /// What it returned with `.completed(result:)`, as JSON text. What a `context.commit` wrote
    /// is read with `TenureClient.result(of:as:deadline:)`.
    public let result: String?

    /// - Parameter seals: what the run's result was stored with.
    init(_ end: InlineEnd, _ seals: PayloadSeals) throws {
        job = end.run.job
        kind = end.run.kind
        queue = end.run.queue
        key = end.run.key
        attempt = end.run.attempt
        became =
            switch end.became {
            case .job(let status): status
            case .snoozed: .scheduled
            case .late, .unwritten, .other, nil: nil
            }
        error = end.error
        reason = end.ending.flatMap { $0.reason ?? $0.errorMessage }
        let isAgain = became == .retryable || became == .scheduled
        pause = isAgain ? end.ending?.delay : nil
        endReason = end.reason
        progress = end.progress
        result = try end.ending?.result.map {
            try seals.opened($0, at: SealedPlace(.result, of: end.run.job))
        }
    }

    /// - Throws: `TestKitError` when there is no result; what decoding throws.
    public func decoded<Result: Decodable>(as type: Result.Type = Result.self) throws -> Result {
        guard let result else {
            throw TestKitError(
                "the run returned no result: it became \(became.map { "\($0)" } ?? "late"). What a "
                    + "context.commit wrote is read with client.result(of: report.job)")
        }
        return try JSONDecoder().decode(type, from: Data(result.utf8))
    }
}
