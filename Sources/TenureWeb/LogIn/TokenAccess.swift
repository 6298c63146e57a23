import HTTPTypes
public import Hummingbird
import Synchronization
import TenureFoundation

/// Lets in who has a link that works once, and then their browser; or a program with a token.
///
/// For a console on this machine alone: whoever reads the terminal that started it may do what its
/// role may.
public final class TokenAccess: Sendable {
    private let console: Console
    private let name: String
    private let mayAct: Bool
    private let program: ProgramToken
    private let programSession: ConsoleSession
    private let book: SessionBook
    /// Links that nobody has used yet.
    private let links = Mutex<Set<String>>([])
    private static let mostLinks = 100
    private static let door = "/login/"
    /// How somebody gets another link; what a page says of it.
    private let otherLink: String

    /// - Parameters:
    ///   - name: who does what is done here, for those who look later.
    ///   - mayAct: whether verbs are shown, and taken (`Inspector.mayOperate`).
    ///   - programToken: what programs send as `Authorization: Bearer`; nil for none.
    public convenience init(
        _ console: Console, as name: String, mayAct: Bool, programToken: String? = nil
    ) {
        self.init(
            console, as: name, mayAct: mayAct, programToken: programToken, SessionRule(),
            otherLink: "It prints another one when it is started again.")
    }

    package init(
        _ console: Console, as name: String, mayAct: Bool, programToken: String?,
        _ rule: SessionRule, otherLink: String
    ) {
        (self.console, self.name, self.mayAct) = (console, name, mayAct)
        self.otherLink = otherLink
        program = ProgramToken(programToken)
        programSession = ConsoleSession(name: name, mayAct: mayAct, isProgram: true)
        book = SessionBook(
            SessionCookie(
                "console", prefix: console.settings.prefix, isSecure: rule.isSecure),
            endedWhenUnusedFor: rule.unused)
    }

    /// The path of a link that lets one browser in, once.
    public func newLink() -> String {
        let secret = Secret.make()
        links.withLock { links in
            if links.count >= Self.mostLinks { links = [] }
            links.insert(secret)
        }
        return console.settings.prefix + Self.door + secret
    }

    public func respond(to request: Request) async -> Response {
        let door = console.settings.prefix + Self.door
        // A link is looked at by those who only ask what is behind it, too.
        if request.uri.path.hasPrefix(door), request.method == .get {
            return logIn(with: String(request.uri.path.dropFirst(door.count)), request)
        }
        if program.isBrought(by: request) {
            return await console.respond(to: request, in: programSession)
        }
        if let asset = console.asset(request) { return asset }
        guard let session = book.entry(of: request)?.session else { return refusal(request) }
        if LogOut.isWanted(request, console.settings) {
            return await LogOut.end(session, in: book, request, console.settings)
        }
        return await console.respond(to: request, in: session)
    }

    private func logIn(with secret: String, _ request: Request) -> Response {
        let isRight = links.withLock { links in
            guard let link = links.first(where: { Secret.isSame($0, secret) }) else {
                return false
            }
            links.remove(link)
            return true
        }
        guard isRight else { return refusal(request) }
        var headers = Answers.safety
        headers[.location] = console.settings.prefix + "/"
        headers[.cacheControl] = "no-store"
        headers[.setCookie] = book.add(
            ConsoleSession(name: name, mayAct: mayAct, isProgram: false, canLogOut: true))
        return Response(status: .seeOther, headers: headers)
    }

    private func refusal(_ request: Request) -> Response {
        DoorPage(
            console.settings, title: "Who are you?",
            line: "Open the link that tenure has printed: it lets one browser in, once. "
                + otherLink
        ).response(.unauthorized, for: request)
    }
}

extension TokenAccess: ConsoleAccess {
    package func respond(to request: Request, from peer: IPAddress?) async -> Response {
        await respond(to: request)
    }

    package func tidy() async { await every(Self.pause) { book.endUnused() } }
}
