import EmbeddedPostgres
import ServiceLifecycle
import Synchronization

/// The private PostgreSQL of a folder, for any number of processes at a time.
///
/// Who comes first owns the server; the others are its guests. A server ends with its owner, so
/// guests that stay keep trying to become the owner: the first that succeeds starts the server
/// again, on the same socket and the same data, and everybody's connections come back.
final class SharedPostgres: Service {
    let conninfo: String
    private let folder: String
    private let owned: Mutex<EmbeddedPostgres?>
    private static let patience: Duration = .seconds(60)

    private init(folder: String, conninfo: String, owned: EmbeddedPostgres?) {
        self.folder = folder
        self.conninfo = conninfo
        self.owned = Mutex(owned)
    }

    static func open(_ folder: String) async throws -> SharedPostgres {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                let server = try await EmbeddedPostgres.start(.init(folder: folder))
                return SharedPostgres(folder: folder, conninfo: server.conninfo, owned: server)
            } catch let error as EmbeddedPostgresError where error.code == .folderInUse {
                if let conninfo = EmbeddedPostgres.conninfo(ofRunningIn: folder) {
                    return SharedPostgres(folder: folder, conninfo: conninfo, owned: nil)
                }
                // Its owner is starting or stopping it.
                guard ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Takes over when the owner has gone. Returns at a graceful shutdown or a cancellation.
    func run() async throws {
        await cancelWhenGracefulShutdown { await self.keep() }
    }

    func keep() async {
        while !Task.isCancelled, owned.withLock({ $0 == nil }) {
            do {
                try await Task.sleep(for: .milliseconds(300))
                let server = try await EmbeddedPostgres.start(.init(folder: folder))
                owned.withLock { $0 = server }
            } catch let error as EmbeddedPostgresError where error.code == .folderInUse {
                continue
            } catch {
                // Cancelled, or the server can't be started: its clients say so as they notice.
                continue
            }
        }
        // Only a cancellation ends the sleep.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Stops the server if this process owns it.
    func close() async throws {
        let server = owned.withLock { owned in
            defer { owned = nil }
            return owned
        }
        try await server?.stop()
    }
}
