import Content
import Tenure
import TenureFoundation
import TenureWeb

/// A report as one HTML file, which asks nobody for anything: for a browser, a phone, paper, and
/// for whoever has scripts off.
struct ReportHTML {
    /// Shown in each view, at most: browsers get slow, and nobody reads them.
    static let mostPlaces = 20_000

    static func text(_ report: CheckReport, folder: String?) -> String {
        let name = report.shownName ?? folder ?? report.folder ?? report.site
        let confirmed = report.confirmed
        let places = confirmed.reduce(0) { $0 + $1.places.count }
        let verdict =
            confirmed.isEmpty
            ? "no findings"
            : CountText.of(confirmed.count, "finding") + " at " + CountText.of(places, "place")
        let suspects = report.findings.count - confirmed.count
        let states = report.targets.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let counts =
            [
                CountText.of(report.pages, "page"), CountText.of(report.references, "reference"),
                CountText.of(report.targets.values.reduce(0, +), "target")
                    + " (\(states.joined(separator: ", ")))",
            ].joined(separator: ", ")
        var notes = [counts]
        if suspects > 0 { notes.append("\(suspects) not sure yet: a second look is due") }
        if report.skippedForContact > 0 {
            notes.append("\(report.skippedForContact) foreign targets were not looked at")
        }
        notes += report.leftOut
        if let shortfall = report.shortfall { notes.append(shortfall) }
        let findings = ReportFindings(folder: folder)
        let body: Markup =
            report.findings.isEmpty
            ? "" : "\(filters(report.findings))\(findings.views(of: report.findings))"
        return page(
            title: "Links of \(name): \(verdict)",
            """
            <header>
            <h1>Links of <bdi>\(name)</bdi></h1>
            <p class="verdict\(confirmed.isEmpty ? "" : " bad" as Markup)">\(verdict)</p>
            \(notes.map { "<p class=\"soft\">\($0)</p>" as Markup })</header>
            <main>
            \(body)\(findings.moved(report.shownMoved))\(findings.ignored(report))</main>
            """, check: "check \(report.check)")
    }

    static func text(_ comparison: CheckComparison, folder: String?) -> String {
        let name = folder ?? comparison.folder ?? comparison.site
        let findings = ReportFindings(folder: folder)
        let bad: Markup = comparison.new.isEmpty ? "" : " bad"
        let from = TimeText.exact(comparison.before.startedAt)
        let to = TimeText.exact(comparison.after.startedAt)
        return page(
            title: "Links of \(name): \(comparison.counts)",
            """
            <header>
            <h1>Links of <bdi>\(name)</bdi></h1>
            <p class="verdict\(bad)">\(comparison.counts)</p>
            <p class="soft">from <time datetime="\(from)">\(from)</time> to \
            <time datetime="\(to)">\(to)</time></p>
            </header>
            <main>
            \(findings.section("new", "Newly broken", comparison.new))
            \(findings.section("mended", "Mended", comparison.mended))
            \(findings.section("staying", "Still broken", comparison.staying))
            </main>
            """, check: "check \(comparison.before.check) and check \(comparison.after.check)")
    }

    /// What is run and how it looks is named by its hash: nothing that a page said is ever either.
    private static func page(title: String, _ body: Markup, check: String) -> String {
        let (style, script) = (hash(ReportStyle.text), hash(ReportScript.text))
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; base-uri 'none'; \
            form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>\(verbatim: ReportStyle.text)</style>
            </head>
            <body>
            \(body)
            <footer>tenure \(Database.release), \(check)</footer>
            <script>\(verbatim: ReportScript.text)</script>
            </body>
            </html>
            """
        return page.text
    }

    private static func hash(_ text: StaticString) -> String {
        Data(Digest.sha256(of: "\(text)")).base64EncodedString()
    }

    /// Hidden until the script shows it.
    private static func filters(_ findings: [Content.Finding]) -> Markup {
        let codes = Dictionary(grouping: findings, by: \.code).mapValues(\.count)
            .sorted { $0.key < $1.key }
        return """
            <div class="tools" role="search" hidden>
            <div class="words"><label for="words">Text in findings</label>
            <input type="search" id="words" autocomplete="off"></div>
            <div><label for="code">Code</label>
            <select id="code">
            <option value="">all</option>
            \(codes.map { code, count in
                "<option value=\"\(code)\">\(code) (\(count))</option>" as Markup
            })</select></div>
            <p id="count" role="status" class="soft"></p>
            </div>
            <input type="radio" name="group" id="by-target" checked>
            <label class="choice" for="by-target">By target</label>
            <input type="radio" name="group" id="by-page">
            <label class="choice" for="by-page">By page</label>

            """
    }
}
