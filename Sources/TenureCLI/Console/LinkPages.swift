import Content
import Tenure
import TenureFoundation
import TenureWeb

/// What is broken, with the places that refer to it.
struct LinksPage: Page {
    let since: Duration?
    let place: ListPlace<LinkKey>
    let text: String
    let tab: Tab? = .links
    let title = "Broken links"

    init(_ query: Query) throws {
        let text = query["since"] ?? ""
        self.text = text
        (since, place) = try BadFilter.keeping(
            .links, "Broken links", form: { Self.form(text, $0) },
            reading: {
                let since = DurationText.parse(text)
                guard text.isEmpty || since != nil else {
                    throw BadRequest("since is \"\(text)\"; give a time such as 24h or 7d")
                }
                return (since, try ListPlace(query, at: "links", keeping: ["since"]))
            })
    }

    var head: (Links) -> Markup { { Self.form(text, $0) } }

    private static func form(_ text: String, _ links: Links) -> Markup {
        """
        <form class="filter" method="get" action="\(links.to("links"))" role="search">
        <label>broke within the last<input name="since" value="\(text)" size="6"
        autocomplete="off"></label><button type="submit">Show</button></form>
        """
    }

    func look(_ look: Look) async throws -> ListPart<BrokenLink> {
        place.part(of: try await BrokenLinks(pool: look.pool).list(newerThan: since), look) {
            LinkKey($0)
        }
    }

    func sections(_ found: ListPart<BrokenLink>, _ look: Look) -> [Section] {
        let rows = found.rows.map { link -> [Markup] in
            let target = URLRedaction.text(link.target)
            let fragment = link.fragment.map { "#\($0)" } ?? ""
            let address = look.links.to("explain", query: [("url", target)])
            // As a pattern it would stand for others, too, or for none.
            let isPattern = target.utf8.contains(UInt8(ascii: "*")) || target != link.target
            let ignore: Markup =
                isPattern
                ? ""
                : Markup.link(
                    "Ignore it, because …",
                    to: look.links.to(
                        "links", "ignore",
                        query: [("target", target + fragment), ("code", link.code)]))
            return [
                "<span class=\"long\">\(Markup.link(target + fragment, to: address))</span>",
                Markup.badge(link.code, .bad), Markup.age(link.brokenSince),
                Markup.age(link.lastOkAt), PlaceList(link.places).markup,
                look.mayAct ? ignore : "",
            ]
        }
        let table = ListTable(
            caption: "What is broken, by URL",
            columns: [
                .init("target"), .init("what"), .init("broken since"), .init("last well"),
                .init("where"), .init("what to do"),
            ], rows: rows, none: "Nothing is broken, as far as is known.")
        let ignored = Markup.link("What is ignored", to: look.links.to(IgnorePage.path))
        let pages = place.pages(found.next, look)
        return [Section(id: "links", body: "\(table.markup)\(pages)<p>\(ignored)</p>")]
    }
}

/// What happened to a URL, what holds it back, and when it is tried next.
struct ExplainPage: Page {
    struct Found: Encodable, Sendable {
        @OrNull var story: Explanation?
    }
    let url: String?
    let tab: Tab? = .explain
    let title = "Explain a URL"

    var head: (Links) -> Markup {
        { links in
            """
            <form class="filter" method="get" action="\(links.to("explain"))" role="search">
            <label>URL<input name="url" type="url" required size="50" value="\(url ?? "")"
            autocomplete="off"></label><button type="submit">Explain</button></form>
            """
        }
    }

    func look(_ look: Look) async throws -> Found {
        guard let url else { return Found(story: nil) }
        return try await ContentPart.asking {
            Found(
                story: try await Explainer(client: look.client, pool: look.pool).explain(url))
        }
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        guard let story = found.story else { return [] }
        return [Section(id: "story", body: Markup.document(story.text, "Its story"))]
    }
}

/// Which live items depend on others: may those go?
struct ImpactPage: Page {
    let names: [String]
    let tab: Tab? = .impact
    let title = "May they go?"
    let isLive = false

    init(_ query: Query) {
        names = query.all("urls").flatMap { text in
            text.split(whereSeparator: \.isNewline).map { $0.trimming { $0 == " " } }
        }.filter { !$0.isEmpty }
    }

    var head: (Links) -> Markup {
        { links in
            """
            <form class="filter" method="get" action="\(links.to("impact"))">
            <label>URLs or ids of items, one a line<textarea name="urls" rows="4" cols="60">\
            \(document: names.joined(separator: "\n"))</textarea></label>
            <button type="submit">May they go?</button></form>
            """
        }
    }

    private static let most = 100

    func checkCount() throws {
        guard names.count <= Self.most else {
            throw BadRequest("\(names.count) are named; give \(Self.most) at most")
        }
    }

    func look(_ look: Look) async throws -> ImpactReport {
        try checkCount()
        if names.isEmpty { return ImpactReport(impacts: [], names: []) }
        return try await ContentPart.asking {
            let impacts = try await Impact(pool: look.pool)
                .of(names.map { ItemName($0) }, ImpactOptions())
            return ImpactReport(impacts: impacts, names: names)
        }
    }

    func sections(_ found: ImpactReport, _ look: Look) -> [Section] {
        if names.isEmpty { return [] }
        // By their ids: what is shown of a URL may lack its secrets.
        let ids = found.impacts.map { impact in
            FormField(
                name: "urls", title: "", shape: .hidden, value: impact.id.uuidString.lowercased())
        }
        let isSafe = found.impacts.allSatisfy { $0.verdict == .safe }
        let delete = VerbButton(
            title: isSafe ? "Delete them" : "Delete them, whatever breaks",
            address: look.links.to("impact", isSafe ? "delete" : "delete-all"), isGrave: true)
        let told = Markup.document(found.text, "What depends on them")
        let form: Markup = look.mayAct ? FormField.form(ids, delete) : ""
        let meanings = ItemImpact.Verdict.allCases.filter { verdict in
            found.impacts.contains { $0.verdict == verdict }
        }
        var words = Facts()
        for verdict in meanings {
            words.add(ImpactText.word(verdict), Self.meaning(of: verdict))
        }
        return [Section(id: "impact", body: "\(told)\(words.markup)\(form)")]
    }

    private static func meaning(of verdict: ItemImpact.Verdict) -> Markup {
        switch verdict {
        case .safe: "Nobody refers to it."
        case .safeWithRedirect:
            """
            Pages link to it. Make its server answer there with a redirect to what takes its \
            place, and their links go on working; without one they break.
            """
        case .unsafe: "Somebody breaks without it, and a redirect would not help."
        case .unknown: "It was never heard of, or nobody has looked at its site lately."
        }
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> String {
        let start = drop(while: isBlank)
        return String(
            start[
                ..<(start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex)])
    }
}
