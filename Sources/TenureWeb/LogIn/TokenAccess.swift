import FoundationEssentials
import HTTPTypes
public import Hummingbird
import Synchronization

/// Lets in who has a link that works once, and then their browser; or a program with a token.
///
/// For a console on this machine alone: whoever reads the terminal that started it may do what its
/// role may.
public final class TokenAccess: Sendable {
    private struct State {
        /// Links that nobody has used yet.
        var links: Set<String> = []
        /// By their cookie.
        var sessions: [String: Entry] = [:]
    }
    private struct Entry {
        let session: ConsoleSession
        var seenAt: ContinuousClock.Instant
    }
    private let console: Console
    private let name: String
    private let programToken: String?
    private let mayAct: Bool
    private let state = Mutex(State())
    private static let mostSessions = 100
    private static let door = "/login/"
    /// Of this console alone: browsers give one machine's cookies to all of its ports.
    private let cookieName = "tenure-console-" + Secret.make().prefix(12)
    /// A browser that is silent for so long logs in anew.
    private static let longest: Duration = .seconds(12 * 3600)

    /// - Parameters:
    ///   - name: who does what is done here, for those who look later.
    ///   - mayAct: whether verbs are shown, and taken (`Inspector.mayOperate`).
    ///   - programToken: what programs send as `Authorization: Bearer`; nil for none.
    public init(
        _ console: Console, as name: String, mayAct: Bool, programToken: String? = nil
    ) {
        (self.console, self.name, self.mayAct) = (console, name, mayAct)
        self.programToken = programToken
    }

    /// The path of a link that lets one browser in, once.
    public func newLink() -> String {
        let secret = Secret.make()
        state.withLock { state in
            if state.links.count >= Self.mostSessions { state.links = [] }
            state.links.insert(secret)
        }
        return console.settings.prefix + Self.door + secret
    }

    public func respond(to request: Request) async -> Response {
        let door = console.settings.prefix + Self.door
        // A link is looked at by those who only ask what is behind it, too.
        if request.uri.path.hasPrefix(door), request.method == .get {
            return logIn(with: String(request.uri.path.dropFirst(door.count)))
        }
        if let session = programSession(request) ?? browserSession(request) {
            return await console.respond(to: request, in: session)
        }
        let path = request.uri.path.split(separator: "/").map(String.init)
        if let asset = Asset(path) { return asset.response }
        return Self.refusal
    }

    private func logIn(with secret: String) -> Response {
        let cookie = state.withLock { state -> String? in
            guard let link = state.links.first(where: { Secret.isSame($0, secret) }) else {
                return nil
            }
            state.links.remove(link)
            let cookie = Secret.make()
            if state.sessions.count >= Self.mostSessions,
                let oldest = state.sessions.min(by: { $0.value.seenAt < $1.value.seenAt })?.key
            {
                state.sessions[oldest] = nil
            }
            state.sessions[cookie] = Entry(
                session: ConsoleSession(name: name, mayAct: mayAct), seenAt: .now)
            return cookie
        }
        guard let cookie else { return Self.refusal }
        var headers = Answers.safety
        headers[.location] = console.settings.prefix + "/"
        headers[.cacheControl] = "no-store"
        headers[.setCookie] =
            "\(cookieName)=\(cookie); Path=\(console.settings.prefix)/; HttpOnly; SameSite=Strict"
        return Response(status: .seeOther, headers: headers)
    }

    private func browserSession(_ request: Request) -> ConsoleSession? {
        let cookies = (request.headers[.cookie] ?? "").split(separator: ";").map {
            $0.trimmingPrefix { $0 == " " }
        }
        guard let own = cookies.first(where: { $0.hasPrefix(cookieName + "=") }) else {
            return nil
        }
        let cookie = String(own.dropFirst(cookieName.count + 1))
        return state.withLock { state in
            guard let entry = state.sessions[cookie] else { return nil }
            guard entry.seenAt.duration(to: .now) < Self.longest else {
                state.sessions[cookie] = nil
                return nil
            }
            state.sessions[cookie]?.seenAt = .now
            return entry.session
        }
    }

    /// A program brings its token with each request, which no browser does by itself.
    private func programSession(_ request: Request) -> ConsoleSession? {
        guard let programToken, let header = request.headers[.authorization],
            header.hasPrefix("Bearer "), Secret.isSame(String(header.dropFirst(7)), programToken)
        else { return nil }
        return ConsoleSession(name: name, mayAct: mayAct, isProgram: true)
    }

    private static var refusal: Response {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Log in – Tenure</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            </head><body><main><h1>Who are you?</h1>
            <p>Open the link that “tenure web” has printed: it lets one browser in, once. It prints
            another one when it is started again.</p></main></body></html>
            """
        return Answers.response(.unauthorized, page.text, "text/html; charset=utf-8")
    }
}
