/// What a recording was found to be.
package struct Verdict: Sendable {
    package struct RuleVerdict: Sendable {
        package let number: Int
        package let title: String
        /// Nil when the rule says nothing of such a recording.
        package let findings: Findings?
    }

    package let rules: [RuleVerdict]
    package let counts: [Count]

    package var violations: [Violation] { rules.flatMap { $0.findings?.violations ?? [] } }

    /// What should be looked at although nothing is wrong: kinds of things that never occurred.
    package var warnings: [String] {
        rules.flatMap { rule in
            guard let findings = rule.findings else {
                return ["rule \(rule.number) is not judged: no cancellations were delivered"]
            }
            if findings.judged.allSatisfy({ $0.count == 0 }) {
                return ["rule \(rule.number) judged nothing: \(rule.title)"]
            }
            return findings.judged.filter { $0.count == 0 }
                .map { "rule \(rule.number) judged none of its \($0.what)" }
        }
    }

    /// Judges a recording.
    package init(_ recording: Recording) {
        let history = RecordedHistory(recording)
        rules = Rules.all.map { rule in
            let isJudged = !rule.needsCancellation || history.settings.deliversCancellation
            var findings = isJudged ? rule.judge(history) : nil
            findings?.sort()
            return RuleVerdict(number: rule.number, title: rule.title, findings: findings)
        }
        counts = Count.all(history)
    }
}
