package import Content

/// Serves a folder on 127.0.0.1, for a check of it, to those who ask for that address.
///
/// The port follows from the folder's path as long as it is free, so that what is remembered of
/// its pages is found again the next time.
package struct FolderServer: Sendable {
    package let folder: SiteFolder
    private let rules: SiteRules

    /// - Throws: `ContentError` with `.badFolder` when the folder's rules can't be read.
    package init(_ folder: SiteFolder) throws {
        self.folder = folder
        rules = try SiteRules(file: "\(folder.path)/\(SiteFolder.rulesFile)")
    }

    private enum Step<Result: Sendable>: Sendable {
        case ended
        case done(Result)
    }

    /// Serves while `body` runs, which is given the URL of the folder.
    /// - Throws: `ContentError` with `.badFolder` when no port can be had; what `body` throws.
    package func serve<Result: Sendable>(
        _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        for port in [preferredPort, 0] {
            do {
                return try await serve(on: port, body)
            } catch is WebServer.CantListen {
                continue
            }
        }
        throw ContentError(.badFolder, "no port on 127.0.0.1 could be had to serve \(folder.path)")
    }

    /// - Throws: `CantListen` before `body` has begun.
    private func serve<Result: Sendable>(
        on port: Int, _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        let server = server(port)
        return try await withThrowingTaskGroup(of: Step<Result>.self) { group in
            defer { group.cancelAll() }
            let (ports, listening) = AsyncStream.makeStream(of: Int.self)
            group.addTask {
                defer { listening.finish() }
                try await server.run { listening.yield($0) }
                return .ended
            }
            for await port in ports {
                group.addTask { .done(try await body("http://127.0.0.1:\(port)/")) }
                break
            }
            if case .done(let result) = try await group.next() { return result }
            try Task.checkCancellation()
            throw ContentError(.badFolder, "the server of \(folder.path) stopped")
        }
    }

    private func server(_ port: Int) -> WebServer {
        var limits = ServingLimits.within(Descriptors.raise())
        // A page may be slow by its rules, and a check keeps its connections.
        limits.request = .seconds(120)
        limits.answer = .seconds(SiteRules.longestDelay) + .seconds(600)
        let handler = FolderHandler(folder: folder, rules: rules)
        return WebServer(
            host: "127.0.0.1", port: port, limits: limits, names: .ownPort,
            respond: handler.respond(to:))
    }

    /// Between 20000 and 32767, below the ports that systems give out by themselves.
    private var preferredPort: Int {
        let hash = folder.path.utf8.reduce(UInt32(2_166_136_261)) { hash, byte in
            (hash ^ UInt32(byte)) &* 16_777_619
        }
        return Int(20_000 + hash % 12_768)
    }
}
