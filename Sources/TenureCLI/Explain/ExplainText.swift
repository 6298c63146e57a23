import Content
import Tenure
import TenureFoundation

/// A URL's story for people.
enum ExplainText {
    static func text(_ found: Explanation) -> String {
        guard found.isKnown else {
            return "never seen; `tenure fetch \(found.url)` fetches it" + held(found)
        }
        var parts: [String] = [sheet(found)]
        if !found.events.isEmpty { parts.append(Table(found.events).text) }
        parts += found.jobs.map(job)
        if found.jobs.isEmpty { parts.append("no job is about it") }
        return parts.joined(separator: "\n\n")
    }

    private static func held(_ found: Explanation) -> String {
        let lines = rules(found)
        return lines.isEmpty ? "" : "\n" + lines.joined(separator: "\n")
    }

    private static func sheet(_ found: Explanation) -> String {
        var sheet = Sheet()
        sheet.add("url", found.url)
        if let item = found.item {
            let status = item.status.map { " (\($0))" } ?? ""
            sheet.add("last fetch", "\(item.outcome)\(status), \(TimeText.full(item.attemptedAt))")
            sheet.add("content of", item.fetchedAt.map { TimeText.full($0) })
            if item.finalURL != item.url { sheet.add("final url", item.finalURL) }
        }
        if let target = found.target {
            let code = target.code.map { ": \($0)" } ?? ""
            sheet.add("state", target.state.rawValue + code)
            sheet.add("looked at", target.checkedAt.map { TimeText.full($0) })
            sheet.add("last ok", target.lastOkAt.map { TimeText.full($0) })
            sheet.add("broken since", target.firstBrokenAt.map { TimeText.full($0) })
            sheet.add("redirects to", target.next)
        }
        for rule in rules(found) { sheet.add("host", rule) }
        return sheet.text
    }

    /// What holds for whatever asks the host.
    private static func rules(_ found: Explanation) -> [String] {
        var lines: [String] = []
        switch found.robots {
        case .disallowed: lines.append("its robots.txt doesn't allow this URL")
        case .notAsked: lines.append("your own: its robots.txt isn't asked")
        case .allowed, .unknown: break
        }
        if let until = found.hostHoldUntil {
            lines.append("it asked to be left alone until \(TimeText.full(until))")
        }
        if let until = found.host?.lane?.heldUntil {
            let whom = found.host?.lane?.heldBy.map { " by \($0)" } ?? ""
            let reason = found.host?.lane?.holdReason.map { ": \($0)" } ?? ""
            lines.append("on hold\(whom) until \(TimeText.full(until))\(reason)")
        }
        return lines
    }

    private static func job(_ explained: ExplainedJob) -> String {
        let summary = explained.job.summary
        var sheet = Sheet()
        sheet.add("job", "\(summary.id)")
        sheet.add("kind", summary.kind.rawValue)
        sheet.add("state", summary.stateText + (explained.job.reason.map { ": \($0)" } ?? ""))
        sheet.add("attempts", "\(summary.attempt) of \(summary.maxAttempts)")
        sheet.add("ended", summary.finishedAt.map { TimeText.full($0) })
        for delay in explained.delays { sheet.add("because", delay.line) }
        sheet.add("tried next", next(explained))
        return sheet.text
    }

    private static func next(_ explained: ExplainedJob) -> String? {
        if let next = explained.delays.nextTry { return TimeText.full(next) }
        switch explained.delays.first?.rule {
        case nil, .running: return nil
        case .turn, .laneFull, .laneOrder, .queueFull: return "with the next free place"
        default: return "not before that has changed"
        }
    }
}
