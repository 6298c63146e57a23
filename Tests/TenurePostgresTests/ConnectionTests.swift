import TenurePostgres
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
}
