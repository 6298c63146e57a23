import Foundation
import History

extension Report {
    /// The verdict as one JSON object.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(JSONReport(verdict)), as: UTF8.self)
        } catch {
            // Reason: it is made of texts and finite numbers, which always encode.
            preconditionFailure("a verdict that doesn't encode: \(error)")
        }
    }
}

private struct JSONReport: Encodable {
    let counts: [String: Double]
    let rules: [Rule]
    let warnings: [String]

    struct Rule: Encodable {
        let number: Int
        let title: String
        let isJudged: Bool
        let judged: [String: Int]
        let violations: [Violation]
    }

    struct Violation: Encodable {
        let sentence: String
        let evidence: [String]
    }

    init(_ verdict: Verdict) {
        counts = Dictionary(
            verdict.counts.map { ($0.what, $0.number) }, uniquingKeysWith: { first, _ in first })
        warnings = verdict.warnings
        rules = verdict.rules.map { rule in
            Rule(
                number: rule.number, title: rule.title, isJudged: rule.findings != nil,
                judged: Dictionary(
                    rule.findings?.judged.map { ($0.what, $0.count) } ?? [],
                    uniquingKeysWith: +),
                violations: (rule.findings?.violations ?? []).map {
                    Violation(sentence: $0.sentence, evidence: $0.evidence.map(\.description))
                })
        }
    }
}
