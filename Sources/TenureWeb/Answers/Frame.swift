import Tenure

/// What stands around every page.
struct Frame {
    let links: Links
    let tabs: [Tab]
    let session: ConsoleSession
    let tab: Tab?
    let title: String
    /// What Enter asks for; nil: nothing.
    var enter: [String]?
    /// Whether who does something here may say why.
    var asksWhy = false
    /// Where programs are told what they find.
    static let description = "openapi.json"

    /// - Parameter isLive: whether its sections are replaced while somebody looks.
    func text(_ body: Markup, isLive: Bool) -> String {
        let items = tabs.map { other -> Markup in
            let mark: Markup = other == tab ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(links.to(other.path))\"\(mark)>\(other.title)</a></li>"
        }
        let live: Markup = isLive ? " data-live" : ""
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title) – Tenure</title>
            <link rel="stylesheet" href="\(links.to("console.css"))">
            <link rel="icon" href="\(links.to("console.svg"))">
            <script defer src="\(links.to("console.js"))"></script></head><body>
            <a class="skip" href="#main">To the content</a>
            <header><a class="name" href="\(links.to([]))">Tenure</a>
            <nav aria-label="Console"><ul>\(items)</ul></nav>\(who)</header>
            <main id="main"\(live)><h1>\(title)</h1>
            \(form)
            <p id="live" role="status"></p>
            \(body)</main>
            <footer>Times are in UTC. The same as JSON: \
            <code>Accept: application/json</code> at the same address, \
            <a href="\(links.to(Self.description))">described for programs</a>.</footer></body>\
            </html>
            """
        return page.text
    }

    /// What all buttons of the page belong to. Browsers press a form's first button for Enter: it
    /// is what the page's form is for, or one that can't be pressed. None for who only looks.
    private var form: Markup {
        guard session.mayAct else { return "" }
        let first: Markup =
            enter.map { "formaction=\"\(links.to($0))\"" } ?? "disabled"
        return """
            <form id="\(VerbButton.form)" method="post"><input type="hidden" name="token" \
            value="\(session.token)"><button type="submit" \(first) hidden>Enter</button>\
            \(asksWhy ? Reason.box : "")</form>
            """
    }

    private var who: Markup {
        let out: Markup =
            session.canLogOut
            ? """
             <form method="post" action="\(links.to(ConsoleSession.exit))"><input type="hidden" \
            name="token" value="\(session.token)"><button type="submit">Log out</button></form>
            """ : ""
        let right = session.mayAct ? "" : ", who only looks"
        return "<div class=\"who\">\(session.name)\(right)\(out)</div>"
    }
}
