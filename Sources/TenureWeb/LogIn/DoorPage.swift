import HTTPTypes
import Hummingbird
import Tenure

/// What those see who aren't in.
struct DoorPage: Sendable {
    let links: Links
    let title: String
    let body: Markup
    /// The same for programs.
    let line: String

    init(_ settings: ConsoleSettings, title: String, line: String, body: Markup = "") {
        links = Links(prefix: settings.prefix)
        (self.title, self.line, self.body) = (title, line, body)
    }

    func response(_ status: HTTPResponse.Status, for request: Request) -> Response {
        if Wanted(request) != .html { return Answers.error(status, line) }
        let notice: Markup =
            line.isEmpty ? "" : "<p class=\"notice bad\" role=\"alert\">\(line)</p>"
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title) – Tenure</title>
            <link rel="stylesheet" href="\(links.to("console.css"))">
            <link rel="icon" href="\(links.to("console.svg"))"></head><body>
            <header><a class="name" href="\(links.to([]))">Tenure</a></header>
            <main id="main"><h1>\(title)</h1>
            \(notice)\(body)</main></body></html>
            """
        return Answers.response(status, page.text, "text/html; charset=utf-8")
    }

    /// For a name and a password.
    /// - Parameters:
    ///   - line: what came of the last try.
    ///   - token: that of the form's own cookie.
    ///   - next: where whoever asks wanted to go.
    static func logIn(
        _ settings: ConsoleSettings, _ line: String, token: String, next: String
    ) -> DoorPage {
        let links = Links(prefix: settings.prefix)
        return DoorPage(
            settings, title: "Log in", line: line,
            body: """
                <form class="door" method="post" action="\(links.to(RoleAccess.door))">
                <input type="hidden" name="token" value="\(token)">
                <input type="hidden" name="next" value="\(next)">
                <label>Role of the database<input name="name" autocomplete="username" required
                autocapitalize="none" spellcheck="false"></label>
                <label>Its password<input name="password" type="password" required
                autocomplete="current-password"></label>
                <button type="submit">Log in</button></form>
                <p class="soft">You see and do here what this role may see and do.</p>
                """)
    }
}

/// Where whoever has logged in goes on.
enum NextPlace {
    private static let longest = 2000

    /// What was asked for before; or the first page, where it isn't one of this console.
    static func of(_ path: String?, _ settings: ConsoleSettings) -> String {
        let first = settings.prefix + "/"
        guard let path, path.hasPrefix(first), path.utf8.count <= longest,
            // Browsers take these for the name of another server, or leave them out.
            !path.hasPrefix("//"), !path.hasPrefix("/\\"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return first }
        let isDoor = [RoleAccess.door, ConsoleSession.exit].contains { path.hasPrefix(first + $0) }
        return isDoor ? first : path
    }
}
