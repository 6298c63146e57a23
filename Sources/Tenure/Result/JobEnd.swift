import FoundationEssentials

/// What became of a job, once and for all.
public struct JobEnd: Sendable {
    public let job: JobID
    public let kind: JobKind
    /// `completed`, `cancelled`, `superseded` or `discarded`.
    public let status: JobStatus
    /// What it completed with, as JSON text; nil when that was nothing.
    public let result: String?
    /// Who cancelled it, or why it was given up.
    public let reason: String?
    /// How the last attempt of a job failed that was given up.
    public let lastError: String?
    /// The job that took its place, where that one retired it while it was pending.
    public let supersededBy: JobID?
    /// Whether it was discarded because it had not begun by its `notAfter`.
    public let isExpired: Bool

    /// The result of a job that completed. One that completed with none is read as nil, where the
    /// type is optional.
    /// - Throws: `TenureError` with `.expired`, `.discarded`, `.cancelled` or `.superseded`, when
    ///   it didn't complete, or with `.unreadableResult`.
    public func decoded<Result: Decodable>(as type: Result.Type = Result.self) throws -> Result {
        switch status {
        case .discarded where isExpired:
            throw TenureError(.expired, "job \(job) was not started in time" + because)
        case .discarded: throw TenureError(.discarded, "job \(job) was discarded" + because)
        case .cancelled: throw TenureError(.cancelled, "job \(job) was cancelled" + because)
        case .superseded:
            throw TenureError(
                .superseded,
                "job \(job) was superseded"
                    + (supersededBy.map { " by job \($0): wait for that one" } ?? because))
        default: break
        }
        do {
            return try JSONDecoder().decode(type, from: Data((result ?? "null").utf8))
        } catch {
            throw TenureError(
                .unreadableResult,
                result == nil
                    ? "job \(job) completed without a result: let its handler return "
                        + ".completed(result:), or wait for its end alone"
                    : "the result of job \(job) is no \(type): wait with the type that its handler "
                        + "completes with", cause: error)
        }
    }

    private var because: String {
        [reason, lastError].compactMap { $0 }.map { ": \($0)" }.joined()
    }
}
