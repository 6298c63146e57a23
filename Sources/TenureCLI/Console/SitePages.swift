import Content
import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWeb

/// The sites that are watched.
struct SitesPage: Page {
    let tab: Tab? = .sites
    let title = "Sites"
    let place: ListPlace<NameKey>

    init(_ query: Query) throws { place = try ListPlace(query, at: "sites") }

    func look(_ look: Look) async throws -> ListPart<SiteOutput> {
        let sites = try await Sites(client: look.client, pool: look.pool, as: "the console")
            .list()
        return place.part(of: sites.map(SiteOutput.init), look) { NameKey($0.site.url) }
    }

    func sections(_ found: ListPart<SiteOutput>, _ look: Look) -> [Section] {
        let rows = found.rows.map(\.site).map { site -> [Markup] in
            let id = site.id.uuidString.lowercased()
            return [
                Markup.link(SiteText.url(site), to: look.links.to("sites", id)),
                Self.state(site), Markup.optional(site.schedule.map { TicksText.format($0.ticks) }),
                site.knownAt == nil ? "not known yet" : "\(site.broken)",
                SitePage.check(site, look.links), Markup.age(site.nextAt),
                Markup.optional(
                    site.channels.isEmpty ? nil : site.channels.joined(separator: ", ")),
            ]
        }
        let table = ListTable(
            caption: "Sites that are watched",
            columns: [
                .init("site"), .init("state"), .init("checked"), .init("broken", isNumber: true),
                .init("last check"), .init("next"), .init("tells"),
            ], rows: rows, none: "No site is watched. Add one with: tenure site add URL")
        return [Section(id: "sites", body: "\(table.markup)\(place.pages(found.next, look))")]
    }

    static func state(_ site: Site) -> Markup {
        let words = SiteText.state(site)
        let tone: Markup.Tone =
            site.problem != nil ? .bad : words == "on" ? .good : .doubt
        return "\(Markup.badge(words, tone))"
    }
}

/// One of them.
struct SitePage: Page {
    let id: UUID
    let tab: Tab? = .sites
    let title = "Site"

    func look(_ look: Look) async throws -> SiteOutput {
        try await ContentPart.asking {
            SiteOutput(
                try await Sites(client: look.client, pool: look.pool, as: "the console")
                    .site(.id(id)))
        }
    }

    func sections(_ found: SiteOutput, _ look: Look) -> [Section] {
        let site = found.site
        var facts = Facts()
        facts.add("site", text: SiteText.url(site))
        facts.add("state", SitesPage.state(site))
        facts.add("problem", text: site.problem)
        facts.add("checked", text: site.schedule.map { TicksText.format($0.ticks) })
        facts.add("last check", Self.check(site, look.links))
        facts.add("skipped", site.skippedAt.map { Markup.moment($0) })
        facts.add("because", text: site.skippedWhy)
        facts.add("next check", site.nextAt.map { Markup.moment($0) })
        facts.add("broken now", text: site.knownAt == nil ? "not known yet" : "\(site.broken)")
        facts.add("known since", site.knownAt.map { Markup.moment($0) })
        facts.add("last notice", site.lastNoticeAt.map { Markup.moment($0) })
        facts.add(
            "tells", text: site.channels.isEmpty ? nil : site.channels.joined(separator: ", "))
        facts.add("added by", text: site.addedBy)
        let isPaused = site.schedule?.pausedAt != nil
        let address = { look.links.to("sites", id.uuidString.lowercased(), $0) }
        let verbs = look.verbs([
            VerbButton(title: "Check it now", address: address("check")),
            isPaused
                ? VerbButton(title: "Resume", address: address("resume"))
                : VerbButton(title: "Pause", address: address("pause")),
        ])
        return [Section(id: "site", body: "\(facts.markup)\(verbs)")]
    }

    static func check(_ site: Site, _ links: Links) -> Markup {
        guard let check = site.lastCheck?.uuidString.lowercased() else { return "–" }
        let words =
            site.cancelledAt != nil ? "cancelled" : site.finishedAt == nil ? "goes on" : "ended"
        let when = Markup.age(site.finishedAt ?? site.begunAt)
        return "\(Markup.link(words, to: links.to("checks", check))) \(when)"
    }
}

/// A check while it runs, and what it found.
struct CheckPage: Page {
    struct Found: Encodable, Sendable {
        let progress: CheckProgress
        /// Once it has ended, with a part of its findings.
        var report: CheckReport?
        var findingCount: Int?
        var next: String?

        func encode(to encoder: any Encoder) throws {
            try encoder.write([
                "visited": progress.visited, "total": progress.total, "pages": progress.pages,
                "references": progress.references, "unfinishedJobs": progress.unfinishedJobs,
                "report": report, "findingCount": findingCount, "next": next,
            ])
        }
    }
    let id: UUID
    /// Of its findings.
    let place: ListPlace<LinkKey>
    let tab: Tab? = .sites
    var title: String { "Check \(id.uuidString.lowercased())" }

    init(_ id: UUID, _ query: Query) throws {
        self.id = id
        place = try ListPlace(query, at: "checks", id.uuidString.lowercased())
    }

    func look(_ look: Look) async throws -> Found {
        try await ContentPart.asking {
            let check = SiteCheck(pool: look.pool, client: look.client)
            let progress = try await check.progress(id)
            guard progress.unfinishedJobs == 0 else { return Found(progress: progress) }
            var report = try await check.report(id)
            let count = report.findings.count
            let part = place.part(of: report.findings, look) { LinkKey($0) }
            report.findings = part.rows
            return Found(
                progress: progress, report: report, findingCount: count, next: part.next)
        }
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let progress = found.progress
        let share = progress.total == 0 ? 0 : progress.visited * 100 / progress.total
        let states = progress.targets.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
        var facts = Facts()
        facts.add("pages", text: "\(progress.pages)")
        facts.add("references", text: "\(progress.references)")
        facts.add("targets", text: states)
        let batch = id.uuidString.lowercased()
        facts.add("its jobs", Markup.link("the batch", to: look.links.to("batches", batch)))
        for line in found.report?.leftOut ?? [] { facts.add("left out", text: line) }
        let bar: Markup = """
            <p><label>\("\(progress.visited) of \(progress.total) URLs")
            <progress max="100" value="\(share)">\(share) %</progress></label></p>
            """
        return [
            Section(id: "check", body: "\(bar)\(facts.markup)"),
            Section(id: "findings", body: findings(found, look)),
        ]
    }

    private func findings(_ found: Found, _ look: Look) -> Markup {
        guard let report = found.report else {
            return "<p class=\"soft\">It goes on; findings come at its end.</p>"
        }
        let rows = report.findings.map { finding -> [Markup] in
            let fragment = finding.fragment.map { "#\($0)" } ?? ""
            return [
                "<span class=\"long\">\(finding.target)\(fragment)</span>",
                Markup.badge(finding.code, finding.isConfirmed ? .bad : .doubt),
                Markup.optional(finding.detail), Markup.age(finding.firstBrokenAt),
                PlaceList(finding.places).markup,
            ]
        }
        let table = ListTable(
            caption: "Findings: \(found.findingCount ?? 0)",
            columns: [
                .init("target"), .init("what"), .init("in words"), .init("broken since"),
                .init("where"),
            ], rows: rows, none: "It found nothing.")
        return "\(table.markup)\(place.pages(found.next, look))"
    }
}
