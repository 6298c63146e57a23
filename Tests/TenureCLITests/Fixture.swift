import Foundation
import Tenure
import TestSupport

/// A migrated database of the test's own, and the binary that works with it.
struct Fixture: Sendable {
    let conninfo: String
    let pool: PostgresPool
    let client: TenureClient
    let tenure: Command

    init(migrated: Bool = true) async throws {
        let server = try await TestPostgres.shared()
        conninfo =
            migrated
            ? try await server.makeDatabase(like: "tenure and content", Self.migrate)
            : try await server.makeDatabase()
        pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), size: 2,
            acquireDeadline: .seconds(60))
        client = TenureClient(pool: pool)
        tenure = Command(conninfo)
    }

    private static func migrate(_ conninfo: String) async throws {
        let result = try await Command(conninfo).run("migrate", "up")
        if result.code != 0 { throw NeverHappened(what: "migrate up: \(result.errors)") }
    }

    func value<Value: PostgresDecodable>(
        _ sql: String, as: Value.Type = Value.self
    ) async throws -> Value {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }

    func jobs() async throws -> Int64 { try await value("SELECT count(*) FROM tenure.job") }

    /// Waits until a query's first column is true.
    func eventually(
        _ what: String, within limit: Duration = .seconds(60), _ sql: String
    ) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if try await value(sql, as: Bool.self) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverHappened(what: what)
    }
}

struct NeverHappened: Error { let what: String }

/// A new folder, removed at the end.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = FileManager.default.temporaryDirectory.path + "/tenure-cli-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer {
        // Reason for `try?`: a folder left behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }
    return try await body(path)
}
