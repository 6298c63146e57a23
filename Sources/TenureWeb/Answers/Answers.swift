import HTTPTypes
import Hummingbird
import NIOCore
import Tenure
import TenureFoundation

/// How what was found, or what went wrong, goes out.
struct Answers: Sendable {
    let links: Links
    let tabs: [Tab]
    let settings: ConsoleSettings
    let session: ConsoleSession

    /// - Parameter refused: why what its form asked for is not done.
    func html(
        _ page: some Page, _ look: Look, refused: RefusedForm? = nil
    ) async throws -> Response {
        let sections = page.sections(try await page.look(look), look)
        var frame = Frame(
            links: links, tabs: tabs, session: session, tab: page.tab, title: page.title)
        frame.enter = page.enter
        frame.asksWhy = page.asksWhy
        let refusal = refused.map {
            ConsoleNotice(text: PlainText.line(String($0.why.prefix(1000))), isGood: false)
        }
        let notice = refusal ?? session.takeNotice()
        let text = frame.text(
            "\(notice.map(\.markup))\(page.head(links))\(sections.map(\.markup))",
            isLive: page.isLive)
        return Self.response(
            refused?.status ?? .ok, settings.redact(text), "text/html; charset=utf-8")
    }

    func json(_ page: some Page, _ look: Look) async throws -> Response {
        try json(try await page.look(look))
    }

    func json(_ value: some Encodable) throws -> Response {
        let text = try JSONText.encode(value) + "\n"
        return Self.response(.ok, settings.redact(text), "application/json")
    }

    /// Of what could not be done as asked for, programs are told by the status, too.
    func json(_ result: VerbResult) throws -> Response {
        let text = try JSONText.encode(result) + "\n"
        return Self.response(
            result.isGood ? .ok : .conflict, settings.redact(text), "application/json")
    }

    func json(_ refused: RefusedForm) throws -> Response {
        guard refused.status == .conflict else { return Self.error(refused.status, refused.why) }
        return try json(VerbResult(result: refused.why, path: [], isGood: false))
    }

    func error(_ bad: BadFilter, for request: Request) -> Response {
        error(
            .badRequest, bad.why.description, for: request, at: bad.tab, bad.title, bad.form(links))
    }

    /// - Parameters:
    ///   - title: of the page; nil: what the status says.
    ///   - rest: what stands below the line.
    func error(
        _ status: HTTPResponse.Status, _ text: String, for request: Request, at tab: Tab? = nil,
        _ title: String? = nil, _ rest: Markup = ""
    ) -> Response {
        switch Wanted(request) {
        case .json: return Self.error(status, text)
        case .events, .html:
            let line = PlainText.line(String(text.prefix(1000)))
            let frame = Frame(
                links: links, tabs: tabs, session: session, tab: tab,
                title: title ?? status.reasonPhrase)
            let text = frame.text("<p class=\"notice bad\">\(line)</p>\(rest)", isLive: false)
            return Self.response(status, text, "text/html; charset=utf-8")
        }
    }

    /// For programs.
    static func error(_ status: HTTPResponse.Status, _ text: String) -> Response {
        let body = ErrorDocument(error: PlainText.line(String(text.prefix(1000))))
        // Reason for `try?`: a text is always JSON.
        let json = (try? JSONText.encode(body)) ?? "{}"
        return response(status, json + "\n", "application/json")
    }

    private struct ErrorDocument: Encodable { let error: String }

    func seeOther(_ result: VerbResult) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: links.to(result.path, result.query), .cacheControl: "no-store"])
    }

    static func response(
        _ status: HTTPResponse.Status, _ text: String, _ type: String
    ) -> Response {
        var headers = Self.safety
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Of each answer: nothing runs, loads or frames but what is the console's own.
    static let safety: HTTPFields = [
        .contentSecurityPolicy:
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        .xContentTypeOptions: "nosniff",
        HTTPField.Name("Referrer-Policy")!: "same-origin",
        HTTPField.Name("Cross-Origin-Opener-Policy")!: "same-origin",
        HTTPField.Name("Cross-Origin-Resource-Policy")!: "same-origin",
    ]
}

/// The style sheet, the script and the icon: the same for everybody, for as long as this release
/// runs.
struct Asset {
    let response: Response

    init?(_ path: [String]) {
        switch path {
        case ["console.css"]:
            response = Self.make("\(Style.text)", "text/css; charset=utf-8")
        case ["console.js"]:
            response = Self.make("\(Script.text)", "text/javascript; charset=utf-8")
        case ["console.svg"]: response = Self.make("\(Style.icon)", "image/svg+xml")
        default: return nil
        }
    }

    private static func make(_ text: String, _ type: String) -> Response {
        var response = Answers.response(.ok, text, type)
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
