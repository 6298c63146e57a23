import Content
import Tenure

/// Rules by which findings don't count, in words.
extension IgnoreRule {
    /// `rule 3`, or where it stands: `links.yaml:12`.
    private var name: String { source ?? "rule \(id.map { "\($0)" } ?? "of the check")" }

    /// `rule 3: their server is down on Sundays (ada, until 2027-01-31)`
    var words: String { "\(name): \(justification)" }

    var justification: String { "\(reason) (\(madeBy)\(until.map { ", until \($0)" } ?? ""))" }

    /// `rule 3 has ended on 2027-01-31: their server … (ada)`
    var ended: String { "\(name) has ended on \(until ?? "no day"): \(reason) (\(madeBy))" }
}

extension CheckReport {
    /// Why this is not all that there is to find; nil of a check that came to its end.
    var shortfall: String? {
        if isComplete { return nil }
        let why =
            if wasCancelled {
                "was cancelled"
            } else if unreadPages > 0 {
                "could not read \(CountText.of(unreadPages, "page"))"
            } else if discardedJobs > 0 {
                "gave up \(CountText.of(discardedJobs, "job"))"
            } else {
                "has not come to its end"
            }
        return "check \(check) \(why): this is what it had found by then"
    }

    /// What was left out, or taken for well by the check's own rules: nobody was told of it else.
    var leftOut: [String] {
        var lines: [String] = []
        if excluded > 0 { lines.append("\(CountText.of(excluded, "URL")) left out by the rules") }
        if accepted > 0 {
            lines.append("\(CountText.of(accepted, "URL")) well by what the rules accept")
        }
        if endless > 0 {
            let why = endless == 1 ? "its URL repeats itself" : "their URLs repeat themselves"
            lines.append(
                CountText.of(endless, "page") + " not followed further, since \(why): "
                    + "a link to a folder that begins with no / may be one on every page")
        }
        if beyondLimit > 0 {
            lines.append(
                CountText.of(beyondLimit, "URL") + " of the site left out, since there are "
                    + "--pages already: raise it; or, where the site makes up URLs without an "
                    + "end, keep it from them with --exclude or --depth")
        }
        if unaskedMail > 0 {
            lines.append(
                CountText.of(unaskedMail, "link") + " to mail of which nobody could say whether "
                    + "they lead anywhere: no name server answered in time, or they are longer "
                    + "than is kept")
        }
        return lines
    }

    /// A line for each rule that keeps something from counting, and for each that does no longer.
    var ruleLines: [String] {
        var counts: [(rule: IgnoreRule, count: Int)] = []
        for ignored in ignored {
            if let index = counts.firstIndex(where: { $0.rule == ignored.rule }) {
                counts[index].count += 1
            } else {
                counts.append((ignored.rule, 1))
            }
        }
        return counts.map { "\($0.count) ignored by \($0.rule.words)" }
            + endedRules.map { "\($0.ended); what it was about counts again" }
    }
}
