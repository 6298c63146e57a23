import Tenure
import TenureFoundation
import TenurePostgres

/// The runs that this worker holds, and those that it had to let go of unwritten.
package final class RunRegistry: Sendable {
    private struct State {
        var runs: [RunRef: Run] = [:]
        /// Of each key's wake-up, the runs it concerns.
        var keyed: [String: [Run]] = [:]
        /// Had begun, and the database would not take their ends. A beat will report them as
        /// unknown: they go back then, as what they are.
        var unwritten: Set<RunRef> = []

        mutating func remove(_ ref: RunRef) -> Run? {
            guard let held = runs.removeValue(forKey: ref) else { return nil }
            if let name = held.wakeupName {
                keyed[name]?.removeAll { $0 === held }
                if keyed[name]?.isEmpty ?? false { keyed[name] = nil }
            }
            return held
        }
    }
    private let state = Lock(State())
    private static let mostUnwritten = 10_000

    func add(_ held: [Run]) {
        state.withLock { state in
            for one in held {
                state.runs[one.ref] = one
                if let name = one.wakeupName { state.keyed[name, default: []].append(one) }
            }
        }
    }

    /// Returns the run, if it was held.
    @discardableResult
    func remove(_ ref: RunRef) -> Run? { state.withLock { $0.remove(ref) } }

    func remove(_ held: [Run]) {
        state.withLock { state in for one in held { _ = state.remove(one.ref) } }
    }

    func addUnwritten(_ run: RunRef) {
        state.withLock {
            if $0.unwritten.count < Self.mostUnwritten { $0.unwritten.insert(run) }
        }
    }

    /// Returns whether it was one of them.
    func removeUnwritten(_ run: RunRef) -> Bool {
        state.withLock { $0.unwritten.remove(run) != nil }
    }

    /// Whether a run's end is still to be written, by whomever.
    func isOpen(_ ref: RunRef) -> Bool {
        state.withLock { $0.runs[ref] != nil || $0.unwritten.contains(ref) }
    }

    func find(_ ref: RunRef) -> Run? { state.withLock { $0.runs[ref] } }

    var all: [Run] { state.withLock { Array($0.runs.values) } }

    package var count: Int { state.withLock { $0.runs.count } }

    /// Those whose verdicts matter: a run that has committed is over, whatever its handler still
    /// does.
    var uncommitted: [RunRef] { all.filter { $0.course.committedAs == nil }.map(\.ref) }

    /// The runs of this worker that a wake-up, `job:ID`, `key:KIND:KEY`, `kind:KIND` or `batch:ID`,
    /// names.
    func named(_ payload: String) -> [Run] {
        state.withLock { state in
            if let runs = state.keyed[payload] { return runs }
            if payload.hasPrefix("batch:"),
                let batch = UUID(uuidString: String(payload.dropFirst(6)))
            {
                return state.runs.values.filter { $0.job.batchID == batch }
            }
            if let kind = Wakeup.kind(in: payload) {
                return state.runs.values.filter { $0.info.kind == kind && $0.info.key != nil }
            }
            guard payload.hasPrefix("job:"), let job = JobID(String(payload.dropFirst(4))) else {
                return []
            }
            return state.runs.values.filter { $0.info.job == job }
        }
    }
}

extension Run {
    /// What a wake-up about its key is called; nil without a key.
    fileprivate var wakeupName: String? {
        info.key.map { Wakeup.ofKey($0, kind: info.kind).payload }
    }
}
