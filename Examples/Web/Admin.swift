import HTTPTypes
import Hummingbird
import Synchronization
import Tenure
import TenureWeb

/// The console under `/admin`, for those whom the application lets in. What stands here for the
/// application's own log-in is one password and a cookie.
final class Admin: Sendable {
    private static let cookie = "admin"

    private let console: Console
    private let password: String?
    /// By the cookie. One for each log-in, kept: the console's forms prove by it where they are
    /// from. A real application forgets those that are old.
    private let sessions = Mutex<[String: ConsoleSession]>([:])

    /// - Parameter password: nil: nobody is let in.
    init(pool: PostgresPool, client: TenureClient, password: String?) {
        var settings = ConsoleSettings()
        settings.prefix = "/admin"
        console = Console(pool: pool, client: client, settings: settings)
        self.password = password
    }

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.get("login") { _, _ in Self.form }
        router.post("login") { request, context in try await self.logIn(request, context) }
        router.get("admin") { request, _ in await self.answer(request) }
        router.get("admin/**") { request, _ in await self.answer(request) }
        router.post("admin/**") { request, _ in await self.answer(request) }
    }

    private struct LogIn: Decodable {
        let name: String
        let password: String
    }

    private func logIn(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let form = try await URLEncodedFormDecoder().decode(
            LogIn.self, from: request, context: context)
        guard let password, !password.isEmpty, form.password == password else {
            throw HTTPError(.unauthorized)
        }
        let secret = Self.secret()
        // Whoever only looks gets `mayAct: false`.
        let session = ConsoleSession(name: form.name, mayAct: true)
        sessions.withLock { $0[secret] = session }
        var response = Response.redirect(to: "/admin")
        // With TLS, `secure: true`.
        response.setCookie(
            Cookie(
                name: Self.cookie, value: secret, path: "/", httpOnly: true, sameSite: .strict))
        return response
    }

    private func answer(_ request: Request) async -> Response {
        let secret = request.cookies[Self.cookie]?.value
        guard let session = secret.flatMap({ secret in sessions.withLock { $0[secret] } }) else {
            return .redirect(to: "/login")
        }
        return await console.respond(to: request, in: session)
    }

    /// 256 bits that nobody guesses.
    private static func secret() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(source.next() as UInt64, radix: 36) }
            .joined(separator: "-")
    }

    private static var form: Response {
        let html = """
            <!doctype html><title>Log in</title>
            <form method="post"><input name="name"><input name="password" type="password">
            <button>Log in</button></form>
            """
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
