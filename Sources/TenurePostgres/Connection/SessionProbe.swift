// docs/decisions/poolers.md

import TenureLibpq
import TenureSystem

/// What is to be known of a connection before anybody uses it.
struct SessionTraits {
    /// A pooler stands between here and the server: it tells libpq of a process of its own making,
    /// and the server names the real one.
    let isPooled: Bool
    /// What a transaction runs at that doesn't say, as the server has it for this user.
    let isolation: PostgresIsolation
}

/// Asks for a session's traits, and pins its default isolation where the session is ours: nobody
/// changes it behind our back then, not even a reload of the server's configuration.
enum SessionProbe {
    /// Blocks, for as long as `limit`: a pooler lets a client in while its server is away, and has
    /// the first statement wait.
    ///
    /// - Parameter mayBeDirect: false when the program knows of a pooler that can't be found out.
    static func traits(
        of connection: OpaquePointer, mayBeDirect: Bool, within limit: Duration
    ) throws -> SessionTraits {
        let end = Instant.now + limit
        guard send(mayBeDirect ? PQbackendPID(connection) : 0, on: connection) else {
            throw failure(connection)
        }
        var traits = SessionTraits(isPooled: true, isolation: .readCommitted)
        while true {
            try waitForInput(connection, until: end)
            guard let result = PQgetResult(connection) else { break }
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                throw PostgresError(result: result, statement: PinIsolation.name)
            }
            let words = (0..<4).map { column in
                PQgetvalue(result, 0, Int32(column)).map { String(cString: $0) } ?? ""
            }
            try check(lookedUpIn: words[2...])
            traits = SessionTraits(
                isPooled: words[0] != "t", isolation: PostgresIsolation(setting: words[1]))
        }
        return traits
    }

    /// PostgreSQL looks in its own schema first, but where somebody names it behind another: there
    /// an operator of a stranger's decides what our statements find.
    private static func check(lookedUpIn schemas: ArraySlice<String>) throws {
        let first = schemas.first { !$0.hasPrefix("pg_temp") } ?? ""
        guard first != "pg_catalog", !first.isEmpty else { return }
        throw PostgresError(
            .invalidConfiguration,
            "search_path has the schema \(first) before pg_catalog, and could hide its names",
            hint: "Leave pg_catalog out of it (ALTER ROLE … SET search_path): then it is first")
    }

    private static func send(_ process: Int32, on connection: OpaquePointer) -> Bool {
        String(process).withCString { text in
            PQsendQueryParams(connection, PinIsolation.sql, 1, nil, [text], nil, nil, 0) == 1
        }
    }

    private static func waitForInput(_ connection: OpaquePointer, until end: Instant) throws {
        while PQisBusy(connection) == 1 {
            var socket = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            let left = end - .now
            guard left > .zero else {
                throw PostgresError(
                    .connectFailed, "the server let us in and answers nothing",
                    hint: "Is a pooler in between whose server is away?")
            }
            _ = poll(&socket, 1, Int32(clamping: left.wholeNanoseconds / 1_000_000 + 1))
            if socket.revents != 0, PQconsumeInput(connection) == 0 { throw failure(connection) }
        }
    }

    private static func failure(_ connection: OpaquePointer) -> PostgresError {
        ConnectFailure.error(String(cString: PQerrorMessage(connection)))
    }
}

/// Whether the process that runs it is the one it is given, and the default isolation as it was;
/// which it sets to READ COMMITTED if so. And the first two schemas in which names are looked up:
/// its own names say where they come from.
struct PinIsolation: PostgresStatement {
    static let sql = """
        SELECT was.direct, was.isolation, was.schemas[1], was.schemas[2],
               CASE WHEN was.direct THEN pg_catalog.set_config(
                   'default_transaction_isolation', 'read committed', false) END
        FROM (SELECT pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) $1::integer AS direct,
                     pg_catalog.current_setting('default_transaction_isolation') AS isolation,
                     pg_catalog.current_schemas(true)::text[] AS schemas OFFSET 0) AS was
        """
    let process: Int32

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(process) }
}
