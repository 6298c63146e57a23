public import ServiceLifecycle
public import TenurePostgres

/// In a `ServiceGroup` a pool closes last when it is first in the list: services are shut down in
/// the reverse order, each when the one after it has ended.
extension PostgresPool: Service {
    /// Waits for a graceful shutdown and closes the pool then. Connections are made by those who
    /// need them, with or without this.
    /// - Throws: `CancellationError`, with the pool still open: who else is cancelled may have an
    ///   end to write.
    public func run() async throws {
        try await gracefulShutdown()
        await close()
    }
}
