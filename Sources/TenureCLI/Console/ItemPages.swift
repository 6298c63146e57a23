import Content
import Tenure
import TenureFoundation
import TenureWeb

/// Items, those first that were fetched last.
struct ItemsPage: Page {
    let filter: ItemFilter
    let place: ListPlace<TimedPlace<UUID>>
    let tab: Tab? = .items
    let title = "Items"
    /// A search may be dear, and what it finds changes seldom.
    var isLive: Bool { filter.words == nil }

    init(_ query: Query) throws {
        var filter = ItemFilter()
        (filter.prefix, filter.isDoubted) = (query["prefix"], query["doubted"] != nil)
        filter.words = query["words"].flatMap { $0.isEmpty ? nil : $0 }
        if let text = query["outcome"] {
            guard let outcome = FetchOutcome(rawValue: text) else {
                throw BadRequest("outcome is \"\(text)\"; give stored, unchanged, gone or failed")
            }
            filter.outcome = outcome
        }
        place = try ListPlace(
            query, at: "items", keeping: ["words", "prefix", "doubted", "outcome"])
        (filter.after, filter.limit) = (place.after, place.limit)
        self.filter = filter
    }

    var head: (Links) -> Markup {
        { links in
            let doubted: Markup = filter.isDoubted ? " checked" : ""
            return """
                <form class="filter" method="get" action="\(links.to("items"))" role="search">
                <label>Words of title or text<input name="words" size="30"
                value="\(filter.words ?? "")" autocomplete="off"></label>
                <label>URL begins with<input name="prefix" size="40" value="\(filter.prefix ?? "")"
                autocomplete="off"></label>
                <label class="check"><input type="checkbox" name="doubted" value="1"\(doubted)>
                only those whose content is doubted</label>
                <button type="submit">Show</button></form>
                """
        }
    }

    func look(_ look: Look) async throws -> ListPart<ItemReport> {
        let items: [Item]
        do {
            items = try await Items(pool: look.pool).list(filter)
        } catch let error as ContentError where error.code == .badOption {
            throw BadRequest(error.description)
        }
        return place.part(items.map { ItemReport(item: $0) }, look) { $0.item.place }
    }

    func sections(_ found: ListPart<ItemReport>, _ look: Look) -> [Section] {
        let rows = found.rows.map { report -> [Markup] in
            let item = report.item
            let address = look.links.to("items", item.id.uuidString.lowercased())
            let url = URLRedaction.text(item.url)
            return [
                "<span class=\"long\">\(Markup.link(item.title ?? url, to: address))</span>",
                "<span class=\"long\">\(url)</span>", "\(ItemText.outcome(item))",
                Markup.optional(item.keptWords.map(String.init)),
                Markup.optional(item.keptVersion.map(String.init)), Markup.age(item.attemptedAt),
            ]
        }
        let table = ListTable(
            caption: "Items, those first that were fetched last",
            columns: [
                .init("title"), .init("URL"), .init("last fetch"), .init("words", isNumber: true),
                .init("version", isNumber: true), .init("tried"),
            ], rows: rows, none: "No item matches.")
        return [Section(id: "items", body: "\(table.markup)\(place.pages(found.next, look))")]
    }
}

/// One item: its fields with where each came from, its versions, its fetches.
struct ItemPage: Page {
    struct Found: Encodable, Sendable {
        let item: ItemReport
        let versions: [ItemVersion]
        let fetches: [ItemFetchRecord]
        /// Of its versions.
        @OrNull var next: String?
    }
    /// So many of its fetches are remembered.
    private static let mostFetches = 100
    let id: UUID
    /// Of its versions.
    let place: ListPlace<Int64>
    let tab: Tab? = .items
    let title = "Item"

    init(_ id: UUID, _ query: Query) throws {
        self.id = id
        place = try ListPlace(query, at: "items", id.uuidString.lowercased())
    }

    func look(_ look: Look) async throws -> Found {
        let items = Items(pool: look.pool)
        guard let item = try await items.item(.id(id)) else {
            throw NotThere(description: "There is no item \(id.uuidString.lowercased()).")
        }
        let versions = try await items.versions(
            of: item, before: place.after.map(Int.init), limit: place.limit)
        let part = place.part(versions, look) { Int64($0.number) }
        return Found(
            item: ItemReport(item: item), versions: part.rows,
            fetches: try await items.fetches(of: item, limit: Self.mostFetches), next: part.next)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let url = URLRedaction.text(found.item.item.url)
        let explain = Markup.link(
            "What happened to it, and what is next",
            to: look.links.to("explain", query: [("url", url)]))
        let impact = Markup.link(
            "What depends on it", to: look.links.to("impact", query: [("urls", url)]))
        let edit = Markup.link("Edit it", to: look.links.to(ItemEditPage.path(id)))
        let links = Markup.joined([explain, impact] + (look.mayAct ? [edit] : []), " · ")
        let versions = self.versions(found.versions, look)
        let fetches = ListTable("Fetches, the newest first", found.fetches, none: "None.")
        return [
            Section(
                id: "item",
                body: """
                    \(Markup.document(found.item.text, "The item"))\(verbs(found.item.item, look))\
                    <p>\(links)</p>
                    """
            ),
            Section(
                id: "versions", body: "\(versions.markup)\(place.pages(found.next, look))"),
            Section(id: "fetches", body: fetches.markup),
        ]
    }
}

extension ItemPage {
    /// What may be done about a document that looked wrong and lies beside the content.
    private func verbs(_ item: Item, _ look: Look) -> Markup {
        guard let candidate = item.candidate else { return "" }
        let address = { look.links.to("items", id.uuidString.lowercased(), $0) }
        let fetch = ("fetch", candidate.fetch.uuidString.lowercased())
        var buttons: [VerbButton] = []
        if !candidate.isChallenge {
            buttons.append(
                VerbButton(
                    title: "Fetch it again, and take it", address: address("take"), value: fetch))
        }
        if candidate.refusedBy == nil {
            buttons.append(
                VerbButton(
                    title: "Refuse the candidate", address: address("refuse"), value: fetch))
        }
        return look.verbs(buttons)
    }

    /// Each with a link to what is different in it.
    private func versions(_ versions: [ItemVersion], _ look: Look) -> ListTable {
        let rows = versions.map { version -> [Markup] in
            let address = look.links.to(VersionPage.path(id, version.number))
            return [Markup.link("\(version.number)", to: address)]
                + version.cells.dropFirst().map { Markup.optional($0) }
        }
        return ListTable(
            caption: "Versions; each leads to what is different in it",
            columns: ItemVersion.titles.map { .init($0) }, rows: rows,
            none: "Nothing is kept of it.")
    }
}

/// The hosts that are asked, or wait to be.
struct HostsPage: Page {
    let tab: Tab? = .hosts
    let title = "Hosts"
    let place: ListPlace<NameKey>

    init(_ query: Query) throws { place = try ListPlace(query, at: "hosts") }

    func look(_ look: Look) async throws -> ListPart<HostStatus> {
        let hosts = try await Hosts(client: look.client, pool: look.pool).list(
            onlyBusy: true, after: place.after?.name, limit: place.limit)
        return place.part(hosts, look) { NameKey($0.host) }
    }

    func sections(_ found: ListPart<HostStatus>, _ look: Look) -> [Section] {
        let table = ListTable(
            "Hosts with jobs, a hold or limits that somebody set", found.rows,
            none: "No host is asked, or waits to be.")
        return [Section(id: "hosts", body: "\(table.markup)\(place.pages(found.next, look))")]
    }
}

/// What is wrong with this installation, and what to do.
struct DoctorPage: Page {
    let database: Database
    let tab: Tab? = .doctor
    let title = "Doctor"
    /// It enqueues and claims a job, and takes it back.
    let isLive = false

    func look(_ look: Look) async throws -> Examined {
        Examined(findings: await Examination(database).run())
    }

    func sections(_ found: Examined, _ look: Look) -> [Section] {
        let sorted = found.findings.enumerated().sorted {
            ($1.element.level, $0.offset) < ($0.element.level, $1.offset)
        }.map(\.element)
        let rows = sorted.map { finding -> [Markup] in
            let tone: Markup.Tone =
                switch finding.level {
                case .ok: .good
                case .warn: .doubt
                case .fail: .bad
                }
            return [
                "\(finding.check)", Markup.badge(finding.level.name, tone), "\(finding.message)",
                Markup.optional(finding.advice),
            ]
        }
        let table = ListTable(
            caption: "What was looked at, the worst first; load the page again to look again",
            columns: [.init("what"), .init("how"), .init("in words"), .init("what to do")],
            rows: rows, none: "Nothing was looked at.")
        return [Section(id: "doctor", body: table.markup)]
    }
}
