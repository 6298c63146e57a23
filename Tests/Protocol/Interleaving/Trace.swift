/// What happened in one interleaving, for people.
struct Trace: Sendable, CustomStringConvertible {
    private(set) var lines: [String]
    /// Whom B waited for while A was stopped.
    private(set) var blockerOfB: String?

    init(_ interleaving: Interleaving) {
        lines = [
            "A: \(interleaving.first.name), stopped \(interleaving.point)",
            "B: \(interleaving.second.name)",
        ]
    }

    mutating func note(_ line: String) { lines.append(line) }

    mutating func waits(_ side: String, _ blocker: String?) {
        if side == "B" { blockerOfB = blocker }
        lines.append(blocker.map { "\(side) waits for \($0)" } ?? "\(side) is over")
    }

    mutating func end(_ a: Side.State, _ b: Side.State) {
        for (name, state) in [("A", a), ("B", b)] {
            let end = state.failure ?? (state.hasCommitted ? "committed" : "open")
            lines.append("\(name) \(end): \(state.answers.joined(separator: "; "))")
        }
    }

    var description: String { lines.map { "    \($0)" }.joined(separator: "\n") }
}
