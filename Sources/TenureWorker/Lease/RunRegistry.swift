import Tenure
import TenurePostgres

/// The runs that this worker holds, from the claim's answer until their end is written.
final class RunRegistry: Sendable {
    struct Held: Sendable {
        let info: RunInfo
        let right: RunRight
        /// Under which session it was claimed.
        let session: SessionID
        /// When its handler started; nil while it waits for a slot.
        var startedAt: ContinuousClock.Instant?
        var endedAt: ContinuousClock.Instant?
        var saidStuckAt: ContinuousClock.Instant?
        var hasTimeout = false
        var saidLong = false
    }

    private let runs = Lock<[JobID: Held]>([:])

    func add(_ held: [Held]) {
        runs.withLock { runs in for one in held { runs[one.info.job] = one } }
    }

    /// Removes a run, unless a later one of the same job took its place.
    func remove(_ ref: RunRef) {
        runs.withLock { runs in
            if runs[ref.job]?.info.fence == ref.fence { runs[ref.job] = nil }
        }
    }

    func update(_ ref: RunRef, _ change: (inout Held) -> Void) {
        runs.withLock { runs in
            if runs[ref.job]?.info.fence == ref.fence { change(&runs[ref.job]!) }
        }
    }

    func find(_ job: JobID) -> Held? { runs.withLock { $0[job] } }

    var all: [Held] { runs.withLock { Array($0.values) } }

    var count: Int { runs.withLock { $0.count } }

    func refs(of session: SessionID?) -> [RunRef] {
        runs.withLock { runs in
            runs.values.filter { session == nil || $0.session == session }
                .map { RunRef(job: $0.info.job, fence: $0.info.fence) }
        }
    }

    /// Whether a key has a run here, for wake-ups that name one.
    func hasRun(kind: JobKind, key: String) -> Bool {
        runs.withLock { $0.values.contains { $0.info.kind == kind && $0.info.key == key } }
    }
}
