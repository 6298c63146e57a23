import Content
import Tenure
import TenureCoordinator
import TenureFoundation

/// A site for programs. What is said to hosts is in its rules; of secrets, where workers find them.
struct SiteOutput: Encodable {
    let site: Site

    init(_ site: Site) { self.site = site }

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": site.id, "url": SiteText.url(site), "state": SiteText.state(site),
            "problem": site.problem, "everySeconds": every, "cron": cron?.expression,
            "zone": cron?.zone, "nextAt": site.nextAt, "spreadSeconds": site.spread.inSeconds,
            "channels": site.channels, "tellsChanges": site.tellsChanges,
            "lastCheck": site.lastCheck, "begunAt": site.begunAt, "finishedAt": site.finishedAt,
            "skippedAt": site.skippedAt, "skippedWhy": site.skippedWhy, "knownAt": site.knownAt,
            "broken": site.broken, "lastNotice": site.lastNotice,
            "lastNoticeAt": site.lastNoticeAt, "check": site.options.map(SiteCheckOutput.init),
            "rules": site.options?.rules, "refetch": RefetchOutput(site),
            "addedAt": site.addedAt, "addedBy": site.addedBy,
        ])
    }

    private var every: Double? {
        guard case .every(let interval) = site.schedule?.ticks else { return nil }
        return interval.inSeconds
    }

    private var cron: (expression: String, zone: String)? {
        guard case .cron(let expression, let zone) = site.schedule?.ticks else { return nil }
        return (expression, zone)
    }
}

/// How a site is checked, but for its rules.
private struct SiteCheckOutput: Encodable {
    let options: SiteCheckOptions

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "depth": options.depth, "pages": options.pages, "contact": options.contact,
            "strict": options.strict,
            "foreign": options.checksForeign, "allow": options.allowedAddresses,
            "intervalSeconds": options.ownInterval, "freshSeconds": options.freshSeconds,
            "firstByteSeconds": options.firstByteSeconds, "totalSeconds": options.totalSeconds,
            "bodyBytes": options.bodyBytes, "looks": options.looks,
            "pauseSeconds": options.pauseSeconds, "queue": options.queue.rawValue,
        ])
    }
}

/// A site for people.
enum SiteText {
    static func url(_ site: Site) -> String { URLRedaction.text(site.url) }

    static func state(_ site: Site) -> String {
        if site.problem != nil { return "unreadable" }
        if let schedule = site.schedule, schedule.pausedAt != nil {
            return "paused by \(schedule.pausedBy ?? "someone")"
        }
        if site.schedule == nil { return "without its schedule" }
        guard site.begunAt != nil else { return "not checked yet" }
        return site.finishedAt == nil && site.cancelledAt == nil ? "being checked" : "on"
    }

    static func text(_ site: Site) -> String {
        var sheet = Sheet()
        sheet.add("site", url(site))
        sheet.add("id", site.id.uuidString.lowercased())
        sheet.add("state", state(site))
        sheet.add("problem", site.problem)
        sheet.add("checked", site.schedule.map { TicksText.format($0.ticks) })
        sheet.add("next check", site.nextAt.map { TimeText.full($0) })
        sheet.add("last check", site.lastCheck.map { "\($0.uuidString.lowercased())" })
        sheet.add("begun", site.begunAt.map { TimeText.full($0) })
        sheet.add("finished", site.finishedAt.map { TimeText.full($0) })
        sheet.add("cancelled", site.cancelledAt.map { TimeText.full($0) })
        sheet.add("skipped", site.skippedAt.map { TimeText.full($0) })
        sheet.add("because", site.skippedWhy)
        sheet.add("known since", site.knownAt.map { TimeText.full($0) })
        sheet.add("broken", site.knownAt == nil ? nil : "\(site.broken)")
        sheet.add("last notice", site.lastNoticeAt.map { TimeText.full($0) })
        sheet.add("tells", site.channels.isEmpty ? nil : site.channels.joined(separator: ", "))
        sheet.add("tells changes", site.tellsChanges ? "yes" : nil)
        if let options = site.options { RuleSheet.add(options, to: &sheet) }
        SiteRefetchText.add(site, to: &sheet)
        sheet.add("added", TimeText.full(site.addedAt) + " by \(site.addedBy)")
        return sheet.text
    }
}
