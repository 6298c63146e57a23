import FlyingFox
import FlyingSocks
import FoundationEssentials
import Tenure
import TenureCoordinator
import TenureWorker

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
    let figures: DatabaseFigures?

    private enum Step: Sendable {
        case ended(String?)
        case listening
        case done
    }

    /// Serves while `body` runs. It starts when the port is had.
    /// - Throws: `Failure` when it can't be had; what `body` throws.
    func serve(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let server = try makeServer()
        try await withThrowingTaskGroup(of: Step.self) { group in
            defer { group.cancelAll() }
            group.addTask { await run(server) }
            group.addTask {
                do {
                    try await server.waitUntilListening(timeout: 10)
                } catch {
                    return .ended("it does not listen within 10s")
                }
                return .listening
            }
            var isListening = false
            for try await step in group {
                switch step {
                case .listening:
                    isListening = true
                    group.addTask {
                        try await body()
                        return .done
                    }
                case .done: return
                case .ended(let why):
                    try Task.checkCancellation()
                    throw isListening
                        ? Failure("the metrics server on port \(port) stopped: \(why ?? "")")
                        : cantListen(why)
                }
            }
        }
    }

    private func run(_ server: HTTPServer) async -> Step {
        do {
            try await server.run()
            return .ended(nil)
        } catch SocketError.failed(_, _, let message) {
            return .ended(message)
        } catch {
            return .ended("\(error)")
        }
    }

    private func cantListen(_ why: String?) -> Failure {
        Failure(
            "--metrics-port is \(port), and \(host) port \(port) can't be had"
                + (why.map { " (\($0))" } ?? "") + "; give a free one, or 0 for none")
    }

    private func makeServer() throws -> HTTPServer {
        let handler = MetricsHandler(parts: parts, figures: figures)
        do {
            if host.contains(":") {
                return HTTPServer(
                    address: try .inet6(ip6: host, port: port), timeout: 15, logger: .disabled,
                    handler: handler)
            }
            return HTTPServer(
                address: try .inet(ip4: host, port: port), timeout: 15, logger: .disabled,
                handler: handler)
        } catch {
            throw Failure(
                "--metrics-host is \"\(host)\"; give an address such as 127.0.0.1, 0.0.0.0 or ::")
        }
    }
}

private struct MetricsHandler: HTTPHandler {
    let parts: [MetricsServer.Part]
    let figures: DatabaseFigures?

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .GET || request.method == .HEAD else {
            return Self.text(.methodNotAllowed, "only GET\n")
        }
        switch request.path {
        case "/healthz": return Self.text(.ok, "ok\n")
        case "/readyz":
            let absent = parts.filter { !$0.isReady() }.map(\.name)
            if absent.isEmpty { return Self.text(.ok, "ready\n") }
            return Self.text(
                .serviceUnavailable, "not ready: \(absent.joined(separator: ", "))\n")
        case "/metrics":
            let text = MeterRegistry.shared.text + (await figures?.text() ?? "")
            return Self.text(.ok, text, type: "text/plain; version=0.0.4; charset=utf-8")
        default: return Self.text(.notFound, "there are /healthz, /readyz and /metrics\n")
        }
    }

    private static func text(
        _ status: HTTPStatusCode, _ text: String, type: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(
            statusCode: status, headers: [.contentType: type], body: Data(text.utf8))
    }
}
