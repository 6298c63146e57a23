import HTTPTypes
import Hummingbird
import Logging
import Tenure

/// `/healthz`, `/readyz` and `/metrics` on a port of their own.
///
/// healthz answers as long as the process does. readyz is 200 while the process's sessions hold
/// their leases and no shutdown has begun; else 503, with which of them does not.
struct MetricsServer: Sendable {
    struct Part: Sendable {
        let name: String
        let isReady: @Sendable () -> Bool
    }
    let host: String
    let port: UInt16
    let parts: [Part]
    /// Nil where the process is no coordinator.
    let figures: RecentFigures?
    let logger: Logger

    /// Serves while `body` runs. It starts when the port is had.
    /// - Throws: `Failure` when it can't be had; what `body` throws.
    func serve(_ body: @escaping @Sendable () async throws -> Void) async throws {
        guard HostRule.isAddress(host) else {
            throw Failure(
                "--metrics-host is \"\(host)\"; give an address such as 127.0.0.1, 0.0.0.0 or ::")
        }
        let server = WebServer(
            host: host, port: Int(port), limits: .within(Descriptors.raise()),
            names: HostRule.isLoopback(host) ? .noForeignName : .any
        ) { request in await respond(to: request) }
        let lasting = LastingServer(called: "the metrics server", logger: logger) { listening in
            try await server.run { _ in listening() }
        }
        do {
            try await lasting.serve(body)
        } catch let error as WebServer.CantListen {
            throw Failure(
                "--metrics-port is \(port), and \(host) port \(port) can't be had (\(error)); "
                    + "give a free one, or 0 for none")
        }
    }

    private func respond(to request: Request) async -> Response {
        guard request.method == .get || request.method == .head else {
            return .text(.methodNotAllowed, "only GET\n")
        }
        switch request.uri.path {
        case "/healthz": return .text(.ok, "ok\n")
        case "/readyz":
            let absent = parts.filter { !$0.isReady() }.map(\.name)
            if absent.isEmpty { return .text(.ok, "ready\n") }
            return .text(.serviceUnavailable, "not ready: \(absent.joined(separator: ", "))\n")
        case "/metrics":
            let text = MeterRegistry.shared.text + (await figures?.text() ?? "")
            return .text(.ok, text, type: "text/plain; version=0.0.4; charset=utf-8")
        default: return .text(.notFound, "there are /healthz, /readyz and /metrics\n")
        }
    }
}
