import Content
import FoundationEssentials
import Tenure
import TenureCoordinator

/// A site for programs.
struct SiteOutput: Encodable {
    let id: UUID
    let url: String
    let state: String
    @OrNull var problem: String?
    @OrNull var everySeconds: Double?
    @OrNull var cron: String?
    @OrNull var zone: String?
    @OrNull var nextAt: Date?
    let spreadSeconds: Double
    let channels: [String]
    let tellsChanges: Bool
    @OrNull var lastCheck: UUID?
    @OrNull var begunAt: Date?
    @OrNull var finishedAt: Date?
    @OrNull var skippedAt: Date?
    @OrNull var skippedWhy: String?
    @OrNull var knownAt: Date?
    let broken: Int
    @OrNull var lastNotice: UUID?
    @OrNull var lastNoticeAt: Date?
    /// What is said to hosts, too; of secrets where workers find them.
    @OrNull var rules: CheckRules?
    @OrNull var refetch: RefetchOutput?
    let addedAt: Date
    let addedBy: String

    init(_ site: Site) {
        id = site.id
        url = SiteText.url(site)
        state = SiteText.state(site)
        problem = site.problem
        switch site.schedule?.ticks {
        case .every(let interval): everySeconds = interval / .seconds(1)
        case .cron(let expression, let zone):
            cron = expression
            self.zone = zone
        case nil: break
        }
        nextAt = site.nextAt
        spreadSeconds = site.spread / .seconds(1)
        channels = site.channels
        tellsChanges = site.tellsChanges
        lastCheck = site.lastCheck
        begunAt = site.begunAt
        finishedAt = site.finishedAt
        skippedAt = site.skippedAt
        skippedWhy = site.skippedWhy
        knownAt = site.knownAt
        broken = site.broken
        lastNotice = site.lastNotice
        lastNoticeAt = site.lastNoticeAt
        rules = site.options?.rules
        refetch = RefetchOutput(site)
        addedAt = site.addedAt
        addedBy = site.addedBy
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
