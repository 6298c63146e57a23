import Foundation
import TenurePostgres
import Testing

enum Colour: String, PostgresValue, PostgresArrayElement { case red, green }

@Suite struct ValueTests {
    private func roundTrip<Value: PostgresValue & Equatable>(
        _ value: Value, _ connection: PostgresConnection
    ) async throws {
        let read = try await connection.query("SELECT $1", [value]) {
            try $0.decode(0, as: Value.self)
        }
        #expect(read == [value])
    }

    private func roundTripArray<Element: PostgresArrayElement & PostgresValue & Equatable>(
        _ elements: [Element], _ connection: PostgresConnection
    ) async throws {
        try await roundTrip(elements, connection)
        try await roundTrip([Element](), connection)
        let withNull: [Element?] = [nil] + elements.map { $0 } + [nil]
        try await roundTrip(withNull, connection)
        let null = try await connection.query("SELECT $1", [Element?.none]) {
            try $0.decode(0, as: Element?.self)
        }
        #expect(null == [nil])
    }

    @Test func `Every type comes back as it went, alone, in arrays and as NULL`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        for value in [Int16.min, 0, .max] { try await roundTrip(value, connection) }
        for value in [Int32.min, 0, .max] { try await roundTrip(value, connection) }
        for value in [Int64.min, 0, .max] { try await roundTrip(value, connection) }
        try await roundTripArray([Int16.min, -1, .max], connection)
        try await roundTripArray([Int32.min, -1, .max], connection)
        try await roundTripArray([Int64.min, -1, .max], connection)
        try await roundTripArray([Int.min, -1, .max], connection)
        try await roundTripArray([true, false], connection)
        try await roundTripArray(
            [0.1, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude], connection)
        try await roundTripArray(
            ["", "é\u{1F600}\n'\\", String(repeating: "x", count: 100_000)],
            connection)
        try await roundTripArray([UUID(), UUID()], connection)
        try await roundTripArray([.zero, .microseconds(-1), Duration.seconds(1e9)], connection)
        try await roundTripArray([PostgresJSON("[1, \"a\"]"), PostgresJSON("null")], connection)
        try await roundTrip(Colour.green, connection)
        try await roundTrip([Colour.green, .red], connection)
        try await roundTrip([UInt8](0...255), connection)
        try await roundTrip([UInt8](), connection)
        try await roundTrip([[1, 2], [], [255]] as [[UInt8]], connection)
    }

    @Test func `Dates keep their microseconds, and read infinity as distant`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let moment = Date(timeIntervalSince1970: 1_763_719_855.123_456)
        let read = try await connection.query(
            "SELECT $1, '2026-11-21 10:10:55.123456+00'::timestamptz, $2",
            [moment, [moment, nil]]
        ) { row in
            (
                try row.decode(0, as: Date.self), try row.decode(1, as: Date.self),
                try row.decode(2, as: [Date?].self)
            )
        }
        #expect(abs(read[0].0.timeIntervalSince(moment)) < 1e-6)
        #expect(abs(read[0].1.timeIntervalSince1970 - 1_795_255_855.123_456) < 1e-6)
        #expect(read[0].2.count == 2 && read[0].2[1] == nil)
        let infinite = try await connection.query(
            "SELECT 'infinity'::timestamptz, '-infinity'::timestamptz"
        ) { (try $0.decode(0, as: Date.self), try $0.decode(1, as: Date.self)) }
        #expect(infinite[0] == (.distantFuture, .distantPast))
        for date in [Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: 1e18)] {
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT $1", [date])
            }
            #expect(error?.code == .encodingFailed)
        }
    }

    private func read<Value: PostgresDecodable>(
        _ expression: String, as: Value.Type, _ connection: PostgresConnection
    ) async throws -> Value? {
        try await connection.query("SELECT \(expression)") { row in
            try row.decode(0, as: Value.self)
        }.first
    }

    private func failure<Value: PostgresDecodable>(
        _ expression: String, as: Value.Type, _ connection: PostgresConnection
    ) async -> PostgresError? {
        await #expect(throws: PostgresError.self) {
            _ = try await read(expression, as: Value.self, connection)
        }
    }

    @Test func `Integers are read into any type they fit, and no other`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        #expect(try await read("7::smallint", as: Int.self, connection) == 7)
        #expect(try await read("7::bigint", as: Int16.self, connection) == 7)
        #expect(try await read("7::oid", as: Int64.self, connection) == 7)
        #expect(try await read("1.5::real", as: Double.self, connection) == 1.5)
        _ = await failure("70000", as: Int16.self, connection)
        _ = await failure("7", as: Double.self, connection)
        _ = await failure("7", as: String.self, connection)
    }

    @Test func `A value that can't be read names its column and says why`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let price = await failure("1.5 AS price", as: Int.self, connection)
        #expect(price?.message == "column 0 (price): numeric can't be read as Int")
        #expect(price?.hint == "Cast it in the SQL")
        let null = await failure("NULL::int AS nothing", as: Int.self, connection)
        #expect(null?.message == "column 0 (nothing): is NULL")
        let missing = await #expect(throws: PostgresError.self) {
            try await connection.query("SELECT 1 AS here") { try $0.decode("there", as: Int.self) }
        }
        #expect(missing?.message == "the row has no column there")
        await #expect(throws: PostgresError.self) {
            try await connection.query("SELECT 1") { try $0.decode(1, as: Int.self) }
        }
        let named = try await connection.query("SELECT 1 AS a, NULL::text AS b") {
            (try $0.decode("a", as: Int.self), try $0.decode("b", as: String?.self))
        }
        #expect(named.first?.0 == 1 && named.first?.1 == nil)
    }

    @Test func `Months, several dimensions and NUL characters are refused`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        _ = await failure("interval '1 month'", as: Duration.self, connection)
        _ = await failure("ARRAY[[1, 2], [3, 4]]", as: [Int].self, connection)
        _ = await failure("ARRAY[1, NULL]", as: [Int].self, connection)
        _ = await failure("'x'::text", as: Colour.self, connection)
        let length = try await read(
            "interval '2 days -1 second'", as: Duration.self, connection)
        #expect(length == .seconds(2 * 86_400 - 1))
        await #expect(throws: PostgresError.self) {
            try await connection.query("SELECT $1", ["a\0b"])
        }
    }

    @Test func `Enums, domains and jsonb are read as text`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple(
            "CREATE TYPE pg_temp.mood AS ENUM ('fine'); CREATE DOMAIN pg_temp.d AS text")
        #expect(try await read("'fine'::pg_temp.mood", as: String.self, connection) == "fine")
        #expect(try await read("'x'::pg_temp.d", as: String.self, connection) == "x")
        #expect(try await read("'n'::name", as: String.self, connection) == "n")
        #expect(
            try await read("'{\"a\":1}'::jsonb", as: String.self, connection) == "{\"a\": 1}")
        #expect(
            try await read("'{\"a\":1}'::json", as: PostgresJSON.self, connection)?.text
                == "{\"a\":1}")
    }
}
