import Tenure

/// The console beside workers: what becomes of it never ends them.
struct UpConsole: Sendable {
    private let database: Database
    private let options: ConsoleOptions

    /// - Throws: `Failure` for what no console can be served with.
    init(_ database: Database, _ options: ConsoleOptions) throws {
        (self.database, self.options) = (database, options)
        _ = try ConsoleServer(database, options)
    }

    /// Serves while `body` runs. Where nobody has chosen the port and the usual one is taken, by
    /// another folder's `up`, it is any other.
    func serve(_ body: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await lasting(options).serve(body)
        } catch let error as WebServer.CantListen {
            guard !options.isPortGiven else {
                throw Failure(
                    "--web-port is \(options.port), and \(options.host) port \(options.port) "
                        + "can't be had (\(error)); give a free one, or --no-web")
            }
            var others = options
            others.port = 0
            try await lasting(others).serve(body)
        }
    }

    private func lasting(_ options: ConsoleOptions) -> LastingServer {
        LastingServer(called: "the console", logger: database.logger) { listening in
            try await ConsoleServer(database, options).serve(listening)
        }
    }
}
