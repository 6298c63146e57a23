import Synchronization
import TenureSystem

/// How many interleavings each pair had, and which of them failed.
final class Matrix: Sendable {
    struct Failure: Sendable {
        let interleaving: Interleaving
        let outcome: Outcome
    }

    private struct State {
        var counts: [String: [String: Int]] = [:]
        var points: [String: Set<String>] = [:]
        var failures: [Failure] = []
    }

    private let state = Mutex(State())

    func add(_ interleaving: Interleaving, _ outcome: Outcome) {
        state.withLock { state in
            let (a, b) = (interleaving.first.name, interleaving.second.name)
            state.counts[a, default: [:]][b, default: 0] += 1
            state.points[a, default: []].insert("\(interleaving.point)")
            if !outcome.failures.isEmpty {
                state.failures.append(Failure(interleaving: interleaving, outcome: outcome))
            }
        }
    }

    func close(_ first: Operation) {
        guard getenv("TENURE_TEST_PROGRESS") != nil else { return }
        print("\(first.name): \(total), \(failures.count) failed")
        fflush(nil)
    }

    var failures: [Failure] { state.withLock { $0.failures } }
    var total: Int { state.withLock { $0.counts.values.flatMap(\.values).reduce(0, +) } }
    var pairs: Int { state.withLock { $0.counts.values.map(\.count).reduce(0, +) } }
    var lockPoints: Int { state.withLock { $0.points.values.map(\.count).reduce(0, +) } }

    /// Rows are A, columns B, in the order of the operations.
    func table(_ firsts: [Operation], _ seconds: [Operation]) -> String {
        let (counts, points) = state.withLock { ($0.counts, $0.points) }
        let bad = Set(
            failures.map { "\($0.interleaving.first.name)|\($0.interleaving.second.name)" })
        var lines = firsts.enumerated().map { index, a in
            let cells = seconds.map { b in
                let mark = bad.contains("\(a.name)|\(b.name)") ? "!" : ""
                return Self.padded(mark + "\(counts[a.name]?[b.name] ?? 0)", 4)
            }
            let name = a.name.padding(36)
            return "\(Self.padded("\(index + 1)", 3)) \(name)"
                + Self.padded("\(points[a.name]?.count ?? 0)", 4) + " |" + cells.joined()
        }
        let head = seconds.indices.map { Self.padded("\($0 + 1)", 4) }.joined()
        lines.insert("    A \\ B".padding(40) + " pts |" + head, at: 0)
        return lines.joined(separator: "\n")
    }

    /// Each kind of failure once for a pair, with its trace.
    func report() -> String {
        var seen: Set<String> = []
        return failures.compactMap { failure in
            let (first, second) = (failure.interleaving.first, failure.interleaving.second)
            let what = failure.outcome.failures[0].split(separator: ":")[0]
            guard seen.insert("\(first.name)|\(second.name)|\(what)").inserted else { return nil }
            return
                (failure.outcome.failures.map { "FAILED \($0)" }
                + [failure.outcome.trace.description]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
