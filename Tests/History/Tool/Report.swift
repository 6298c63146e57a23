import Foundation
import History

/// A verdict, as people read it and as programs do.
struct Report {
    let verdict: Verdict

    /// So many violations of one rule are told in full.
    private static let shown = 20

    init(_ verdict: Verdict) { self.verdict = verdict }

    var text: String {
        let parts = [counts, rules, violations, warnings, conclusion]
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    private var counts: [String] {
        verdict.counts.map { Self.row($0.formatted, $0.what) }
    }

    private var rules: [String] {
        verdict.rules.map { rule in
            let mark =
                switch rule.findings {
                case nil: "–"
                case let findings? where !findings.violations.isEmpty: "✘"
                case .some: "✔"
                }
            let judged = rule.findings?.judged.map { "\($0.count) \($0.what)" } ?? ["not judged"]
            let number = String(repeating: " ", count: rule.number < 10 ? 1 : 0) + "\(rule.number)"
            return "\(mark) \(number) \(rule.title): \(judged.joined(separator: ", "))"
        }
    }

    private var violations: [String] {
        verdict.rules.flatMap { rule -> [String] in
            let all = rule.findings?.violations ?? []
            let lines = all.prefix(Self.shown).map { violation in
                "✘ rule \(rule.number): \(violation.sentence)"
                    + violation.evidence.map { "\n      \($0)" }.joined()
            }
            let more = all.count - lines.count
            return lines + (more > 0 ? ["  … and \(more) more of rule \(rule.number)"] : [])
        }
    }

    private var warnings: [String] { verdict.warnings.map { "! \($0)" } }

    private var conclusion: [String] {
        let number = verdict.violations.count
        return [number == 0 ? "✔ no violation" : "✘ \(number) violations"]
    }

    private static func row(_ number: String, _ what: String) -> String {
        String(repeating: " ", count: max(0, 10 - number.count)) + number + "  " + what
    }
}

extension Count {
    fileprivate var formatted: String {
        let isWhole = number == number.rounded()
        let text = isWhole ? "\(Int(number))" : "\((number * 100).rounded() / 100)"
        return unit.map { "\(text) \($0)" } ?? text
    }
}
