import Foundation
import TenurePostgres
import Testing

@Suite struct CopyTests {
    @Test func `COPY writes rows of every kind, also more than the socket takes at once`()
        async throws
    {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple(
            "CREATE TEMP TABLE c (id bigint, name text, u uuid, n text, list bigint[])")
        let id = UUID()
        let filler = String(repeating: " ", count: 500)
        let count = try await connection.copyIn(
            "c", columns: ["id", "name", "u", "n", "list"], rows: 0..<4_000
        ) { number, row in
            try row.append(number)
            try row.append("name \(number)" + filler)
            try row.append(id)
            try row.append(String?.none)
            try row.append([number, number])
        }
        #expect(count == 4_000)
        let sum = try await connection.query(
            """
            SELECT count(*) FROM c
            WHERE rtrim(name) = 'name ' || id AND u = $1 AND n IS NULL AND list = ARRAY[id, id]
            """, [id]
        ) { try $0.decode(0, as: Int.self) }
        #expect(sum == [4_000])
    }

    @Test func `A COPY that fails writes nothing and leaves the connection usable`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple("CREATE TEMP TABLE c (id bigint CHECK (id < 5000))")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.copyIn("c", columns: ["id"], rows: 0..<6_000) {
                try $1.append($0)
            }
        }
        #expect(error?.sqlState == "23514")
        #expect(try await connection.query("SELECT FROM c") == 0)
        #expect(
            try await connection.copyIn("c", columns: ["id"], rows: [1]) { try $1.append($0) } == 1)
    }

    @Test func `COPY in ad-hoc SQL is refused, not a hang`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple("CREATE TEMP TABLE c (id bigint)")
        await #expect(throws: PostgresError.self) {
            try await connection.simple("COPY c FROM STDIN")
        }
        #expect(try await connection.query("SELECT 1") == 1)
        let error = await #expect(throws: PostgresError.self) {
            try await connection.simple("COPY c TO STDOUT")
        }
        #expect(error?.code == .misuse)
        #expect(connection.isClosed)
    }
}
