import Glibc
import TenureLibpq

/// Finds out whether a pooler stands between here and the server: it tells libpq of a process of
/// its own making, and the server names the real one.
enum PoolerProbe {
    /// Blocks, for as long as `limit`: a pooler lets a client in while its server is away, and has
    /// the first statement wait.
    static func isPooled(_ connection: OpaquePointer, within limit: Duration) throws -> Bool {
        let end = Instant.now + limit
        guard PQsendQuery(connection, ReadBackend.sql) == 1 else { throw failure(connection) }
        var named: Int32?
        while true {
            try waitForInput(connection, until: end)
            guard let result = PQgetResult(connection) else { break }
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                throw PostgresError(result: result, statement: ReadBackend.name)
            }
            named = PQgetvalue(result, 0, 0).flatMap { Int32(String(cString: $0)) }
        }
        return named != PQbackendPID(connection)
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

/// The process that runs the statement.
struct ReadBackend: PostgresStatement {
    static let sql = "SELECT pg_backend_pid()"

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
