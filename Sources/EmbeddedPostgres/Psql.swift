/// `psql` for what needs no driver: making databases, a look from a test.
package struct Psql: Sendable {
    private let conninfo: String
    private let installation: PostgresInstallation

    package init(_ conninfo: String) async throws {
        self.conninfo = conninfo
        installation = try await BlockingThread().run { _ in try PostgresInstallation.find() }
    }

    init(_ conninfo: String, _ installation: PostgresInstallation) {
        self.conninfo = conninfo
        self.installation = installation
    }

    /// Runs each statement in its own transaction and returns the rows: a line each, columns
    /// separated by `|`. Throws at the first error.
    @discardableResult
    package func run(_ statements: [String]) async throws -> String {
        let options = ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", conninfo]
        let command =
            installation.program("psql") + options + statements.flatMap { ["-c", $0] }
        let result = try await BlockingThread().run { try Command.run(command, cancellation: $0) }
        guard result.succeeded else {
            throw EmbeddedPostgresError(
                .commandFailed, "psql failed: \(result.output.lastLine)", output: result.output)
        }
        return String(result.output.drop { $0.isNewline }.trimmingSuffix { $0.isNewline })
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ isEnd: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isEnd($0) }) else { return "" }
        return self[...last]
    }
}
