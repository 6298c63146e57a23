/// A pattern for paths, as shells have them: `*`, `?` and `[…]` within a name, `**` for any number
/// of folders, `\` before a letter that means itself.
///
/// However a pattern is written, matching takes at most its length times the path's.
struct PathGlob: Sendable {
    enum Part: Sendable, Equatable {
        case anyDepth
        case name(NamePattern)
    }

    /// Why a text is no pattern, in a few words.
    struct Malformed: Error, Equatable, CustomStringConvertible { let description: String }

    let parts: [Part]

    /// In bytes.
    static let longest = 4096

    /// Whether a text has anything that a pattern has and a path hasn't, as a rule.
    static func isPattern(_ text: String) -> Bool {
        text.utf8.contains { "*?[".utf8.contains($0) }
    }

    /// - Parameter text: without a slash at its start; slashes that follow one another count once.
    init(_ text: some StringProtocol, ignoresCase: Bool = false) throws(Malformed) {
        guard text.utf8.count <= Self.longest else {
            throw Malformed(description: "longer than \(Self.longest) bytes")
        }
        var parts: [Part] = []
        for piece in text.split(separator: "/") {
            if piece == "**" {
                if parts.last != .anyDepth { parts.append(.anyDepth) }
            } else {
                parts.append(.name(try NamePattern(piece, ignoresCase: ignoresCase)))
            }
        }
        self.parts = parts
    }

    // MARK: Step by step, for those who walk through folders

    /// Where in the pattern one may be.
    typealias States = [Int]

    var start: States { closed([0]) }

    /// After one more name of a path.
    func next(_ states: States, _ name: String, showsHidden: Bool) -> States {
        let isHidden = name.hasPrefix(".") && !showsHidden
        var found: [Int] = []
        for state in states where state < parts.count {
            switch parts[state] {
            case .anyDepth: if !isHidden { found.append(state) }
            case .name(let pattern):
                if isHidden, !pattern.beginsWithDot { continue }
                if pattern.matches(name) { found.append(state + 1) }
            }
        }
        return closed(found)
    }

    /// Whether a file may end here.
    func isAtEnd(_ states: States) -> Bool { states.contains(parts.count) }

    func matches(_ path: some Sequence<String>, showsHidden: Bool = true) -> Bool {
        var states = start
        for name in path {
            states = next(states, name, showsHidden: showsHidden)
            if states.isEmpty { return false }
        }
        return isAtEnd(states)
    }

    /// With what follows without a name: `**` may stand for no folder.
    private func closed(_ states: [Int]) -> States {
        var all = Set<Int>()
        for state in states {
            var state = state
            while all.insert(state).inserted, state < parts.count, parts[state] == .anyDepth {
                state += 1
            }
        }
        return all.sorted()
    }
}
