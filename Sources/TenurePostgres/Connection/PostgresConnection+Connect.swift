import Synchronization
import TenureLibpq
import TenureSystem

extension PostgresConnection {
    /// Connects, on a thread of its own: libpq's blocking way is the one that keeps
    /// `connect_timeout` for every host.
    ///
    /// - Throws: `PostgresError` (`.connectFailed`, `.invalidConfiguration`); `CancellationError`
    ///   at once when the task is cancelled, and the connection that may still come is closed.
    public static func connect(
        _ configuration: PostgresConfiguration
    ) async throws -> PostgresConnection {
        let opening = OneShot<PostgresConnection>()
        open(configuration) { result in
            guard !opening.decide(result), case .success(let unwanted) = result else { return }
            unwanted.close()
        }
        return try await opening.value()
    }

    /// Calls `done` once, on some thread.
    static func open(
        _ configuration: PostgresConfiguration,
        _ done: @escaping @Sendable (Result<PostgresConnection, any Error>) -> Void
    ) {
        let hasStarted = System.startThread("pg-connect") {
            done(Result { try openBlocking(configuration) })
        }
        if !hasStarted {
            done(.failure(PostgresError(.connectFailed, "no thread left to connect on")))
        }
    }

    private static func openBlocking(
        _ configuration: PostgresConfiguration
    ) throws -> PostgresConnection {
        let map = try SchemaMap(configuration.schemas)
        let connection = try dial(configuration)
        let traits: SessionTraits
        do {
            traits = try SessionProbe.traits(
                of: connection, mayBeDirect: configuration.preparesStatements,
                within: configuration.connectTimeout)
        } catch {
            PQfinish(connection)
            throw error
        }
        let prepared = PreparedStatements(schemas: map, isNaming: !traits.isPooled)
        guard let wire = Wire(connection, configuration, prepared, traits) else {
            throw PostgresError(.connectFailed, "no descriptor left for the connection")
        }
        let opened = PostgresConnection(wire, configuration, traits)
        guard opened.state.withLock({ $0.wire.watch(opened) }) else {
            throw PostgresError(.connectFailed, "the socket can't be watched")
        }
        return opened
    }

    /// A pooler refuses startup options: then without ours.
    private static func dial(_ configuration: PostgresConfiguration) throws -> OpaquePointer {
        do {
            return try dial(configuration.connectParameters)
        } catch let error as PostgresError where ConnectFailure.refusesOptions(error) {
            return try dial(configuration.connectParameters(startupOptions: false))
        }
    }

    private static func dial(_ parameters: [String: String]) throws -> OpaquePointer {
        guard let connection = libpqConnect(parameters) else {
            throw PostgresError(.connectFailed, "out of memory")
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            defer { PQfinish(connection) }
            throw ConnectFailure.error(String(cString: PQerrorMessage(connection)))
        }
        return connection
    }

    private static let dials = Atomic(0)
    private static let isEnding = Atomic(false)

    /// Ends the process, as `exit` does. While libpq is connecting on some thread nobody waits for
    /// that, and what is to be done at the end of a process is left undone: the libraries that
    /// libpq calls (Kerberos) take themselves down there, and the thread would find them gone and
    /// abort the process.
    package static func endProcess(_ code: Int32) -> Never {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        if dials.load(ordering: .sequentiallyConsistent) == 0 { exit(code) }
        fflush(nil)
        _exit(code)
    }

    /// Nil, too, when the process is just ending.
    private static func libpqConnect(_ parameters: [String: String]) -> OpaquePointer? {
        dials.add(1, ordering: .sequentiallyConsistent)
        defer { dials.subtract(1, ordering: .sequentiallyConsistent) }
        if isEnding.load(ordering: .sequentiallyConsistent) { return nil }
        var keywords: [UnsafePointer<CChar>?] = []
        var values: [UnsafePointer<CChar>?] = []
        let copies = parameters.flatMap { [strdup($0.key), strdup($0.value)] }
        defer { for copy in copies { free(copy) } }
        for index in stride(from: 0, to: copies.count, by: 2) {
            keywords.append(UnsafePointer(copies[index]))
            values.append(UnsafePointer(copies[index + 1]))
        }
        return PQconnectdbParams(keywords + [nil], values + [nil], 0)
    }
}
