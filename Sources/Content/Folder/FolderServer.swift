import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc

/// Serves a folder on 127.0.0.1, for a check of it.
///
/// The port follows from the folder's path as long as it is free, so that what is remembered of
/// its pages is found again the next time.
public struct FolderServer: Sendable {
    public let folder: SiteFolder

    public init(_ folder: SiteFolder) {
        self.folder = folder
    }

    /// Serves while `body` runs, which is given the URL of the folder.
    /// - Throws: `ContentError` with `.badFolder` when no port can be had; what `body` throws.
    public func serve<Result: Sendable>(
        _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        for port in [preferredPort, 0] {
            let server = HTTPServer(
                address: try .inet(ip4: "127.0.0.1", port: port), timeout: 120, logger: .disabled,
                handler: FolderHandler(folder: folder))
            if let result = try await serve(on: server, body) { return result }
        }
        throw ContentError(.badFolder, "no port on 127.0.0.1 could be had to serve \(folder.path)")
    }

    private enum Step<Result: Sendable>: Sendable {
        case ended
        case listening(UInt16?)
        case done(Result)
    }

    /// - Returns: nil when the server couldn't start.
    private func serve<Result: Sendable>(
        on server: HTTPServer, _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result? {
        try await withThrowingTaskGroup(of: Step<Result>.self) { group in
            defer { group.cancelAll() }
            var isListening = false
            group.addTask {
                do {
                    try await server.run()
                } catch {
                    // It can't listen, or was stopped: whoever waits for it sees that.
                }
                return .ended
            }
            group.addTask { .listening(await Self.port(of: server)) }
            for try await step in group {
                switch step {
                case .done(let result): return result
                case .ended, .listening(nil):
                    guard isListening else { return nil }
                    try Task.checkCancellation()
                    throw ContentError(.badFolder, "the server of \(folder.path) stopped")
                case .listening(let port?):
                    isListening = true
                    group.addTask { .done(try await body("http://127.0.0.1:\(port)/")) }
                }
            }
            return nil
        }
    }

    private static func port(of server: HTTPServer) async -> UInt16? {
        do {
            try await server.waitUntilListening(timeout: 5)
        } catch {
            return nil
        }
        guard case .ip4(_, let port) = await server.listeningAddress else { return nil }
        return port
    }

    /// Between 20000 and 32767, below the ports that systems give out by themselves.
    private var preferredPort: UInt16 {
        let hash = folder.path.utf8.reduce(UInt32(2_166_136_261)) { hash, byte in
            (hash ^ UInt32(byte)) &* 16_777_619
        }
        return UInt16(20_000 + hash % 12_768)
    }
}

private struct FolderHandler: HTTPHandler {
    let folder: SiteFolder

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .GET || request.method == .HEAD else {
            return HTTPResponse(statusCode: .methodNotAllowed)
        }
        let path = request.target.path(percentEncoded: true)
        if let seconds = folder.rules.delays[path] { try await Task.sleep(for: .seconds(seconds)) }
        if let redirect = folder.rules.redirects[path] {
            return Self.response(redirect.status, [.location: redirect.location])
        }
        if let status = folder.rules.statuses[path] { return Self.response(status) }
        switch folder.answer(path) {
        case .missing: return Self.response(404)
        case .folder:
            return Self.response(301, [.location: "/\(path.trimmingPrefix { $0 == "/" })/"])
        case .file(let file): return try Self.file(file, isHead: request.method == .HEAD)
        }
    }

    private static func file(_ file: String, isHead: Bool) throws -> HTTPResponse {
        let data = try Data(contentsOf: URL(filePath: file))
        let headers: [HTTPHeader: String] = [
            .contentType: FileTypes.mediaType(of: file), .contentLength: String(data.count),
        ]
        return HTTPResponse(
            statusCode: .ok, headers: HTTPHeaders(headers), body: isHead ? Data() : data)
    }

    private static func response(
        _ status: Int, _ headers: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: ""), headers: HTTPHeaders(headers),
            body: Data())
    }
}
