import ServiceLifecycle
import Tenure
import TenureWeb
import TenureWorker

/// The console on a port of this machine alone.
struct ConsoleServer: Service {
    static let usual = 7411
    static let tokenVariable = "TENURE_WEB_TOKEN"
    private static let host = "127.0.0.1"
    private static let shortestToken = 32

    let database: Database
    let port: Int
    var hidesPayloads = false
    /// What programs bring; nil for none.
    var token: String?

    /// - Throws: `Failure` for one that somebody could guess.
    static func check(_ token: String?) throws {
        guard let token, token.utf8.count < shortestToken else { return }
        throw Failure(
            "\(tokenVariable) has \(token.utf8.count) bytes; give \(shortestToken) or more that "
                + "nobody guesses, such as: openssl rand -hex 32")
    }

    func run() async throws {
        var settings = ConsoleSettings()
        settings.hidesPayloads = hidesPayloads
        // Reason for `try?`: settings that only fetches need are no reason to show nothing.
        if let registry = try? database.parts.registry() {
            settings.secretFields = registry.secretFields
        }
        settings.explain = ErrorLine.text
        settings.redact = { Redaction.secrets(in: $0, isDocument: true) }
        let hasProduct = try await database.schemas().count > 1
        let console = Console(
            pool: database.pool, client: database.client, settings: settings,
            parts: hasProduct ? [ContentPart(database: database)] : [])
        let access = TokenAccess(
            console, as: Whom.name, mayAct: try await database.inspector.mayOperate(),
            programToken: token)
        var limits = ServingLimits.within(Descriptors.raise())
        // Each page that somebody looks at holds one.
        limits.connections = max(limits.connections, min(4096, Descriptors.raise() / 4))
        let server = WebServer(host: Self.host, port: port, limits: limits, names: .noForeignName) {
            await access.respond(to: $0)
        }
        do {
            try await cancelWhenGracefulShutdown {
                try await server.run { port in
                    Terminal.line("console: http://\(Self.host):\(port)\(access.newLink())")
                }
            }
        } catch let error as WebServer.CantListen {
            throw Failure(
                "--port is \(port), and \(Self.host) port \(port) can't be had (\(error)); give "
                    + "a free one, or 0 for any")
        } catch is CancellationError {
            // It was asked to end.
        }
    }
}
