import TenureFoundation

/// What became of a job, once and for all.
public struct JobEnd: Sendable {
    public let job: JobID
    public let kind: JobKind
    /// `completed`, `cancelled`, `superseded` or `discarded`.
    public let status: JobStatus
    /// What it completed with, as JSON text; nil when that was nothing. Where the client's codec
    /// can't read it, it is as it is stored, and ``decoded(as:)`` throws.
    public private(set) var result: String?
    /// Who cancelled it, or why it was given up.
    public let reason: String?
    /// How the last attempt of a job failed that was given up.
    public let lastError: String?
    /// The job that took its place, where that one retired it while it was pending.
    public let supersededBy: JobID?
    /// Whether it was discarded because it had not begun by its `notAfter`.
    public let isExpired: Bool
    /// Why its result is as it is stored.
    private var trouble: TenureError?

    init(
        job: JobID, kind: JobKind, status: JobStatus, result: String?, reason: String?,
        lastError: String?, supersededBy: JobID?, isExpired: Bool
    ) {
        (self.job, self.kind, self.status) = (job, kind, status)
        (self.result, self.reason, self.lastError) = (result, reason, lastError)
        (self.supersededBy, self.isExpired) = (supersededBy, isExpired)
    }

    /// The result of a job that completed. One that completed with none is read as nil, where the
    /// type is optional.
    /// - Throws: `TenureError` with `.expired`, `.discarded`, `.cancelled` or `.superseded`, when
    ///   it didn't complete, or with `.unreadableResult`; of a result that is sealed in a way that
    ///   the client's codec can't read, with `.unknownKey`, `.notSealed` or `.brokenSeal`.
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
        if let trouble { throw trouble }
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

    /// With its result as JSON, where that can be read.
    func opened(by seals: PayloadSeals) -> JobEnd {
        guard let result, !seals.isOpen(result) else { return self }
        var end = self
        do {
            end.result = try seals.opened(result, at: SealedPlace(.result, of: job))
        } catch {
            end.trouble =
                error as? TenureError ?? TenureError(.brokenSeal, "\(error)", cause: error)
        }
        return end
    }

    private var because: String {
        [reason, lastError].compactMap { $0 }.map { ": \($0)" }.joined()
    }
}
