/// A program that comes with PostgreSQL, such as `pgbench`, run on any server.
package struct PostgresTool: Sendable {
    private let path: String

    /// nil where the program isn't installed.
    package init?(_ name: String) async throws {
        let path = try await BlockingThread().run { _ in PostgresInstallation.path(of: name) }
        guard let path else { return nil }
        self.path = path
    }

    /// Runs it to its end and returns what it wrote, errors included. It ends with this process,
    /// however that ends, and when the task is cancelled.
    /// - Parameter service: a libpq service file, whose only service the arguments name. It keeps
    ///   a password out of the list of processes.
    package func run(_ arguments: [String], service: String) async throws -> String {
        let command = ["/usr/bin/env", "PGSERVICEFILE=\(service)", path] + arguments
        let result = try await BlockingThread().run { try Command.run(command, cancellation: $0) }
        guard result.succeeded else {
            throw EmbeddedPostgresError(
                .commandFailed, "\(path) failed: \(result.output.lastLine)", output: result.output)
        }
        return result.output
    }
}
