import Synchronization
import TenureFoundation
import TenureSystem

/// A private PostgreSQL for development, tests and demos.
///
/// It runs the programs that are installed, on a cluster in a folder of its own, listens on a
/// socket that only its owner can reach, and ends with its owner: by `stop()`, when the last
/// reference goes, or when the owner's process ends in whatever way. One owner at a time has a
/// folder. What a crashed one left behind, a running server included, is cleared at the next start;
/// the data stays.
public final class EmbeddedPostgres: Sendable {
    private struct State {
        var lock: FolderLock?
        var server: Server?
    }

    private let configuration: EmbeddedPostgresConfiguration
    private let folder: ClusterFolder
    private let installation: PostgresInstallation
    private let sockets: SocketFolder
    private let port: Int
    private let thread = BlockingThread()
    private let state = Mutex(State())

    /// A libpq connection string for the database `tenure`, good over restarts.
    public var conninfo: String { conninfo(database: ClusterCreation.database) }

    /// Runs statements with `psql`, each in its own transaction, and returns the rows.
    @discardableResult
    package func psql(_ statements: String..., database: String = "tenure") async throws -> String {
        try await Psql(conninfo(database: database), installation).run(statements)
    }

    /// Where the cluster lies, as the server sees it.
    package var dataPath: String { folder.data }

    /// Starts the server, after making its cluster when it is the first time.
    ///
    /// When the task is cancelled it throws `CancellationError` and leaves nothing running.
    public static func start(
        _ configuration: EmbeddedPostgresConfiguration = .init()
    ) async throws -> EmbeddedPostgres {
        try await BlockingThread().run { cancellation in
            let postgres = try EmbeddedPostgres(configuration)
            try postgres.bringUp(nil, cancellation)
            return postgres
        }
    }

    private init(_ configuration: EmbeddedPostgresConfiguration) throws {
        self.configuration = configuration
        port = configuration.port ?? 5432
        folder = try ClusterFolder.open(configuration.folder)
        sockets = SocketFolder(in: folder, port: port)
        let major = folder.clusterMajor
        installation = try PostgresInstallation.find(major: major)
        if let major, major != installation.major {
            throw EmbeddedPostgresError(
                .otherVersion,
                "\(folder.path) was made by PostgreSQL \(major), \(installation.major) is "
                    + "installed: install \(major), or remove the folder")
        }
    }

    /// Disconnects the clients, writes everything to disk and returns when the server is gone.
    /// Of a temporary one nothing is written; its folder is removed. Stopping twice is nothing.
    public func stop() async throws {
        try await thread.run { _ in
            if self.configuration.isTemporary { self.kill() }
            _ = self.bringDown(leavingFolders: !self.configuration.isTemporary)
        }
    }

    /// Kills the server with all its processes, as a crash would, and returns when they are gone.
    /// Nothing is written. `restart()` brings it back.
    public func kill() {
        ServerProcesses(data: folder.data).kill()
    }

    /// Stops the server, if it runs, and starts it again on the same data and the same socket.
    public func restart() async throws {
        try await thread.run { cancellation in
            let lock = self.bringDown(leavingFolders: true)
            try self.bringUp(lock, cancellation)
        }
    }
}

extension EmbeddedPostgres {
    private var temporary: String { configuration.isTemporary ? folder.path : "" }

    /// - Parameter lock: the folder's, when this owner has it already.
    private func bringUp(_ lock: FolderLock?, _ cancellation: Cancellation) throws {
        try ClusterFolder.makeFolder(folder.path, mode: 0o700)
        try ClusterFolder.makePrivate(folder.path, for: folder.user)
        let lock = try lock ?? FolderLock(path: folder.lock, user: folder.user)
        do {
            try prepare(cancellation)
            let server = try makeServer(cancellation)
            state.withLock { $0 = State(lock: lock, server: server) }
        } catch {
            if configuration.isTemporary, access(folder.path, F_OK) == 0 {
                try FileManager.default.removeItem(atPath: folder.path)
            }
            throw error
        }
    }

    /// Clears what a crashed owner left and makes the cluster if there is none.
    private func prepare(_ cancellation: Cancellation) throws {
        try ServerProcesses(data: folder.data).endOrphans(cancellation)
        guard folder.clusterMajor == nil else { return }
        try ClusterCreation(
            in: folder, installation, isTemporary: configuration.isTemporary, cancellation
        ).run()
    }

    private func makeServer(_ cancellation: Cancellation) throws -> Server {
        try sockets.make(for: folder.user, port: port)
        let server = try Server(
            installation, in: folder,
            settings: ServerSettings(configuration, sockets: sockets.path, port: port),
            environment: configuration.environment,
            temporary: temporary, sockets: sockets.isElsewhere ? sockets.path : "")
        do {
            try server.waitUntilReady(configuration.startTimeout, cancellation)
        } catch {
            server.process.finish()
            sockets.removeIfElsewhere(port: port)
            throw error
        }
        return server
    }

    /// Returns the lock, which must outlive the server.
    private func bringDown(leavingFolders: Bool) -> FolderLock? {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        old.server?.process.finish(leavingFolders: leavingFolders)
        sockets.removeIfElsewhere(port: port)
        return old.lock
    }

    package func conninfo(database: String) -> String {
        Self.conninfo(sockets: sockets.path, port: port, database: database)
    }
}
