import TenurePostgres
import TestSupport
import Testing

struct SelectNumber: PostgresStatement {
    static let sql = "SELECT $1::bigint + 1"
    let number: Int

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(number) }
    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.decode(0) }
}

@Suite struct ConnectionTests {
    @Test func `A statement is prepared once and answers every time`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        for number in 0..<50 {
            #expect(try await connection.execute(SelectNumber(number: number)) == [number + 1])
        }
        let names = try await connection.query("SELECT name FROM pg_prepared_statements") {
            try $0.decode(0, as: String.self)
        }
        #expect(names == ["tenure1"])
    }

    @Test func `A pipeline answers each statement in order`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let (one, two) = try await connection.pipeline(
            SelectNumber(number: 1), SelectNumber(number: 2))
        #expect(one == [2] && two == [3])
        let many = try await connection.pipeline(
            all: (0..<500).map { SelectNumber(number: $0) })
        #expect(many.map(\.first) == (1...500).map { $0 })
    }

    @Test func `A server error carries its SQLSTATE and leaves the connection usable`()
        async throws
    {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let error = await #expect(throws: PostgresError.self) {
            try await connection.query("SELECT 1/0")
        }
        #expect(error?.sqlState == "22012")
        #expect(error?.code == .server)
        #expect(try await connection.execute(SelectNumber(number: 1)) == [2])
    }

    @Test func `An error in the middle of a pipeline undoes what came before it`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple("CREATE TEMP TABLE t (x int)")
        let error = await failure {
            try await connection.pipeline(
                InsertOne(), SelectNumber(number: .max), SelectNumber(number: 1))
        }
        #expect(error?.sqlState == "22003")
        #expect(error?.statement == "SelectNumber")
        #expect(try await connection.query("SELECT FROM t") == 0)
        let (one, two) = try await connection.pipeline(SelectNumber(number: 1), InsertOne())
        #expect(one == [2] && two.isEmpty)
        #expect(try await connection.query("SELECT FROM t") == 1)
    }

    @Test func `A statement that couldn't be prepared is prepared when it can`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        #expect(await failure { try await connection.execute(InsertOne()) }?.sqlState == "42P01")
        try await connection.simple("CREATE TEMP TABLE t (x int)")
        _ = try await connection.execute(InsertOne())
        try await connection.simple("DEALLOCATE ALL")
        #expect(await failure { try await connection.execute(InsertOne()) }?.sqlState == "26000")
        _ = try await connection.execute(InsertOne())
        #expect(try await connection.query("SELECT FROM t") == 2)
    }

    @Test func `Pipelines larger than any buffer go through`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let text = String(repeating: "x", count: 50_000)
        let rows = try await connection.pipeline(all: (0..<100).map { _ in Echo(text: text) })
        #expect(rows.count == 100)
        #expect(rows.allSatisfy { $0 == [text] })
    }

    @Test func `Statements of many tasks share one connection`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    try await connection.execute(SelectNumber(number: number)) == [number + 1]
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `Without prepared statements there are none, and all works`() async throws {
        var configuration = try await TestDatabase.configuration()
        configuration.preparesStatements = false
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        #expect(try await connection.execute(SelectNumber(number: 1)) == [2])
        let (one, two) = try await connection.pipeline(
            SelectNumber(number: 1), SelectNumber(number: 2))
        #expect(one == [2] && two == [3])
        #expect(try await connection.query("SELECT FROM pg_prepared_statements") == 0)
    }

    @Test func `A session has settings that keep it from hanging and compiling`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let settings = try await connection.query(
            """
            SELECT current_setting('idle_in_transaction_session_timeout'),
                current_setting('client_connection_check_interval'),
                current_setting('application_name'), current_setting('client_encoding'),
                current_setting('jit')
            """
        ) { row in
            [
                try row.decode(0, as: String.self), try row.decode(1, as: String.self),
                try row.decode(2, as: String.self), try row.decode(3, as: String.self),
                try row.decode(4, as: String.self),
            ]
        }
        #expect(settings == [["1min", "5s", "tenure", "UTF8", "off"]])
    }

    @Test func `A qualifier is sent as the schema it stands for`() async throws {
        var configuration = try await TestDatabase.configuration()
        configuration.schemas = ["somewhere": "pg_catalog"]
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        #expect(try await connection.query("SELECT FROM somewhere.pg_am LIMIT 1") == 1)
    }

    @Test func `A peer that has fallen silent costs no more than the deadline and a second`()
        async throws
    {
        let (proxy, configuration) = try await TestDatabase.proxied()
        let connection = try await PostgresConnection.connect(configuration)
        proxy.set(.freeze)
        let start = ContinuousClock.now
        let error = await failure {
            try await connection.query("SELECT 1", deadline: .milliseconds(200))
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(connection.isClosed)
        #expect(await failure { try await connection.query("SELECT 1") }?.isConnectionLoss == true)
        proxy.set(nil)
        proxy.stop()
    }
}

private struct InsertOne: PostgresStatement {
    static let sql = "INSERT INTO t VALUES (1)"
}

private struct Echo: PostgresStatement {
    static let sql = "SELECT $1"
    let text: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(text) }
    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
