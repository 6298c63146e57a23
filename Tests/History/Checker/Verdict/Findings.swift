/// What a rule found: how much it looked at, and what was wrong.
package struct Findings: Sendable {
    /// What was judged, by what kind of thing it was.
    package private(set) var judged: [Judged] = []
    package private(set) var violations: [Violation] = []
    package private(set) var rule: Int

    package struct Judged: Sendable {
        package let what: String
        package fileprivate(set) var count: Int
    }

    /// - Parameter kinds: what the rule judges; each is told, also when there was none.
    init(rule: Int, _ kinds: String...) {
        self.rule = rule
        judged = kinds.map { Judged(what: $0, count: 0) }
    }

    mutating func judge(_ kind: Int, count: Int = 1) { judged[kind].count += count }

    mutating func violation(_ sentence: String, _ evidence: [Place]) {
        violations.append(Violation(rule: rule, sentence: sentence, evidence: evidence))
    }

    /// Puts what is told first that was written first, so that a recording is told of the same way
    /// each time.
    mutating func sort() {
        violations.sort { left, right in
            let lines = (left.evidence.first, right.evidence.first)
            guard let one = lines.0, let other = lines.1, one != other else {
                return left.sentence < right.sentence
            }
            return one < other
        }
    }

    /// Says that something must hold.
    mutating func require(
        _ holds: Bool, _ sentence: @autoclosure () -> String, _ evidence: @autoclosure () -> [Place]
    ) {
        if !holds { violation(sentence(), evidence()) }
    }
}

/// Something that must not have happened, with the lines that show it.
package struct Violation: Sendable {
    package let rule: Int
    package let sentence: String
    package let evidence: [Place]
}
