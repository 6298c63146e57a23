import HTTPTypes
package import Hummingbird

/// Decides who is let in, and has the console answer them.
package protocol ConsoleAccess: Sendable {
    /// - Parameter peer: who is connected; nil where nobody knows.
    func respond(to request: Request, from peer: IPAddress?) async -> Response

    /// Ends what nobody uses any more. It returns when its task is cancelled.
    func tidy() async
}

extension ConsoleAccess {
    static var pause: Duration { .seconds(15) }

    func every(_ pause: Duration, _ body: () async -> Void) async {
        while !Task.isCancelled {
            // Reason for `try?`: a cancellation ends the loop.
            try? await Task.sleep(for: pause)
            await body()
        }
    }
}

/// How long sessions live, and what their cookies say.
package struct SessionRule: Sendable {
    /// A session that nobody has used for so long is over.
    package var unused: Duration = .seconds(12 * 3600)
    /// Browsers reach the console by TLS alone, whether it is here or before here.
    package var isSecure = false

    package init() {}
}

/// What a program brings with each request, which no browser does by itself.
struct ProgramToken: Sendable {
    private let token: String?

    init(_ token: String?) { self.token = token }

    func isBrought(by request: Request) -> Bool {
        guard let token, let header = request.headers[.authorization], header.hasPrefix("Bearer ")
        else { return false }
        return Secret.isSame(String(header.dropFirst(7)), token)
    }
}

/// The end of a session, by a form that each page has.
enum LogOut {
    static func isWanted(_ request: Request, _ settings: ConsoleSettings) -> Bool {
        request.method == .post && request.uri.path == "\(settings.prefix)/\(ConsoleSession.exit)"
    }

    /// Ends a session, or says why it goes on.
    static func end(
        _ session: ConsoleSession, in book: SessionBook, _ request: Request,
        _ settings: ConsoleSettings
    ) async -> Response {
        var request = request
        do {
            let form = try await Query(bodyOf: &request, atMost: 1024)
            try session.requireOwn(form["token"], from: request)
        } catch {
            return DoorPage(settings, title: "Log out", line: "\(error)")
                .response(.forbidden, for: request)
        }
        book.end(session)
        var headers = Answers.safety
        headers[.location] = "\(settings.prefix)/"
        headers[.cacheControl] = "no-store"
        headers[.setCookie] = book.cookie.clearing
        return Response(status: .seeOther, headers: headers)
    }
}
