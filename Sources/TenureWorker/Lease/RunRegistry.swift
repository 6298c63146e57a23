import Tenure
import TenurePostgres

/// The runs that this worker holds, from the claim's answer until their end is written.
package final class RunRegistry: Sendable {
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
        var isCommitted = false

        var ref: RunRef { RunRef(job: info.job, fence: info.fence) }
    }

    private let runs = Lock<[RunRef: Held]>([:])

    func add(_ held: [Held]) {
        runs.withLock { runs in for one in held { runs[one.ref] = one } }
    }

    func remove(_ ref: RunRef) { runs.withLock { $0[ref] = nil } }

    func update(_ ref: RunRef, _ change: (inout Held) -> Void) {
        runs.withLock { runs in
            guard var held = runs[ref] else { return }
            change(&held)
            runs[ref] = held
        }
    }

    func find(_ ref: RunRef) -> Held? { runs.withLock { $0[ref] } }

    var all: [Held] { runs.withLock { Array($0.values) } }

    package var count: Int { runs.withLock { $0.count } }

    /// Those whose verdicts matter: a run that has committed is over, whatever its handler still
    /// does.
    var uncommitted: [RunRef] {
        runs.withLock { $0.values.filter { !$0.isCommitted }.map(\.ref) }
    }

    /// Whether a wake-up, `job:ID` or `key:KIND:KEY`, names a run of this worker.
    func concerns(_ payload: String) -> Bool {
        runs.withLock { runs in
            runs.values.contains { held in
                if payload == "job:\(held.info.job)" { return true }
                return held.info.key.map { payload == "key:\(held.info.kind):\($0)" } ?? false
            }
        }
    }
}
