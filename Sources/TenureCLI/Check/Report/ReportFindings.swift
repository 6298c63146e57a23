import Content
import Tenure
import TenureFoundation
import TenureWeb

/// Findings in the HTML report: by target and by page.
struct ReportFindings {
    let folder: String?

    /// Both: which of them is seen is the style sheet's, so that it needs no script.
    func views(of findings: [Content.Finding]) -> Markup {
        """
        <section id="targets" data-view aria-labelledby="targets-title">
        <h2 id="targets-title">By target</h2>
        \(cards(findings))</section>
        <section id="pages" data-view aria-labelledby="pages-title">
        <h2 id="pages-title">By page</h2>
        \(pages(findings))</section>

        """
    }

    func section(_ id: String, _ title: String, _ findings: [Content.Finding]) -> Markup? {
        if findings.isEmpty { return nil }
        return """
            <section id="\(id)" class="\(id)" aria-labelledby="\(id)-title">
            <h2 id="\(id)-title">\(title)</h2>
            \(cards(findings))</section>
            """
    }

    func ignored(_ report: CheckReport) -> Markup? {
        if report.ignored.isEmpty, report.endedRules.isEmpty { return nil }
        let cards: [Markup] = report.ignored.prefix(ReportHTML.mostPlaces).map { ignored in
            let reason: Markup = "<p>Ignored by \(ignored.rule.words)</p>"
            return card(ignored.finding, room: ReportHTML.mostPlaces, reason)
        }
        let ended = report.endedRules.map { "<p>\($0.ended)</p>" as Markup }
        return """
            <section id="ignored" class="suspect" aria-labelledby="ignored-title">
            <h2 id="ignored-title">Ignored</h2>
            \(ended)\(cards)</section>

            """
    }

    func moved(_ links: [MovedLink]) -> Markup? {
        if links.isEmpty { return nil }
        var room = ReportHTML.mostPlaces
        var cards: [Markup] = []
        for item in links where room > 0 {
            let places = item.places.prefix(room).map { place in
                let name = shown(file: place.file) ?? place.page
                return """
                    <li>\(link(place.file == nil ? place.page : "", name))\
                    <span class="soft">:\(place.line):\(place.column)</span> \
                    <code>\(place.raw)</code> → <code>\(place.replacement)</code></li>
                    """ as Markup
            }
            room -= max(places.count, 1)
            let doubt: Markup? = item.isConfirmed ? nil : " <span class=\"soft\">seen once</span>"
            let from = link(item.fromFile == nil ? item.from : "", item.shownFrom)
            let to = link(item.toFile == nil ? item.to : "", item.shownTo)
            cards.append(
                """
                <article class="card">
                <h3>\(from) → \(to)\(doubt)</h3>
                <ul>
                \(places)</ul>
                </article>
                """)
        }
        return """
            <section id="moved" aria-labelledby="moved-title">
            <h2 id="moved-title">Moved for good</h2>
            \(cards)\(rest(room))</section>

            """
    }

    private func cards(_ findings: [Content.Finding]) -> [Markup] {
        var room = ReportHTML.mostPlaces
        var cards: [Markup] = []
        for finding in findings {
            if room <= 0 { break }
            cards.append(card(finding, room: room))
            room -= max(finding.places.count, 1)
        }
        return cards + rest(room)
    }

    private func card(
        _ finding: Content.Finding, room: Int, _ note: Markup? = nil
    ) -> Markup {
        let doubt: Markup = finding.isConfirmed ? "" : " suspect"
        let weight = finding.isHard ? " The page breaks with it." : ""
        let sure = finding.isConfirmed ? "" : " Not sure yet."
        let help = FindingHelp(code: finding.code)
        let detail = finding.detail.flatMap { detail in
            detail == "HTTP status \(finding.code)" ? nil : "<p>\(detail)</p>" as Markup
        }
        let places = finding.places.prefix(room).map { place in
            "<li>\(spot(place)) \(words(place))</li>" as Markup
        }
        let more = (finding.placeCount ?? finding.places.count) - places.count
        let others: Markup? =
            more > 0 ? "<p class=\"soft\">and \(CountText.of(more, "more place"))</p>" : nil
        let list: Markup? = places.isEmpty ? nil : "<ul>\n\(places)</ul>"
        return """
            <article class="card\(doubt)" data-code="\(finding.code)">
            <h3><span class="badge">\(finding.code)</span> \(target(finding))</h3>
            <p class="soft">\(help.text)\(weight)\(sure)\(since(finding))</p>
            \(note)\(detail)\(list)\(others)
            </article>
            """
    }

    private func pages(_ findings: [Content.Finding]) -> [Markup] {
        struct Entry {
            let finding: Content.Finding
            let place: FindingPlace?
        }
        var pages: [String: [Entry]] = [:]
        var room = ReportHTML.mostPlaces
        for finding in findings where room > 0 {
            if finding.places.isEmpty {
                pages[finding.file ?? finding.target, default: []].append(
                    Entry(finding: finding, place: nil))
            }
            for place in finding.places.prefix(room) {
                pages[place.file ?? place.page, default: []].append(
                    Entry(finding: finding, place: place))
            }
            room -= max(finding.places.count, 1)
        }
        return pages.sorted { $0.key < $1.key }.map { page, entries in
            let sorted = entries.sorted { first, second in
                (first.place?.line ?? 0, first.place?.column ?? 0)
                    < (second.place?.line ?? 0, second.place?.column ?? 0)
            }
            let rows = sorted.map { entry in
                let spot = entry.place.map { "\($0.line):\($0.column)" } ?? ""
                let doubt: Markup = entry.finding.isConfirmed ? "" : " suspect"
                return """
                    <li data-code="\(entry.finding.code)"><span class="badge\(doubt)">\
                    \(entry.finding.code)</span> <span class="soft">\(spot)</span> \
                    \(target(entry.finding)) \(entry.place.map(words))</li>
                    """ as Markup
            }
            return """
                <article class="card">
                <h3>\(link(page, shown(file: entries[0].place?.file) ?? page))</h3>
                <ul>
                \(rows)</ul>
                </article>
                """
        } + rest(room)
    }

    private func rest(_ room: Int) -> [Markup] {
        room > 0
            ? [] : ["<p class=\"soft\">There are more: see them all in JSON or CSV.</p>"]
    }

    private func target(_ finding: Content.Finding) -> Markup {
        let isURL = finding.file == nil && finding.code != "badURL"
        return link(isURL ? finding.name : "", finding.shownName)
    }

    private func spot(_ place: FindingPlace) -> Markup {
        let spot = place.line > 0 ? ":\(place.line):\(place.column)" : ""
        let name = shown(file: place.file) ?? place.page
        return
            "\(link(place.file == nil ? place.page : "", name))<span class=\"soft\">\(spot)</span>"
    }

    private func words(_ place: FindingPlace) -> Markup {
        let text = place.text.map { " “\($0)”" } ?? ""
        return
            "<span class=\"soft\">\(place.kind) <code>\(place.raw)</code><bdi>\(text)</bdi></span>"
    }

    private func shown(file: String?) -> String? {
        file.map { ShownFile.name($0, in: folder) }
    }

    /// A link to what may be followed; one whose secrets were taken out leads nowhere.
    private func link(_ url: String, _ text: String) -> Markup {
        guard SafeURI.isWeb(url), !url.contains("…"), url.utf8.count <= 2000 else {
            return "<code>\(text)</code>"
        }
        return
            "<a href=\"\(SafeURI.url(url))\" rel=\"noreferrer noopener\"><code>\(text)</code></a>"
    }

    private func since(_ finding: Content.Finding) -> Markup? {
        guard let first = finding.firstBrokenAt else { return nil }
        let (from, last) = (TimeText.exact(first), finding.lastOkAt.map { TimeText.exact($0) })
        let before: Markup? = last.map { ", last ok <time datetime=\"\($0)\">\($0)</time>" }
        return "<br>since <time datetime=\"\(from)\">\(from)</time>\(before)"
    }
}
