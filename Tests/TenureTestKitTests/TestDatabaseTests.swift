import Foundation
import Synchronization
import Tenure
import TenureSystem
import TenureTestDatabase
import TenureTestKit
import TenureWorker
import TestSupport
import Testing

/// A database of each test's own.
@Suite struct TestDatabaseTests {
    /// With a table of the program's own.
    private static let notes = TestTemplate { pool in
        try await pool.simple("CREATE TABLE note (text text NOT NULL)")
    }

    private static func noting(_ pool: PostgresPool) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            try await context.commit { transaction in
                try await transaction.query("INSERT INTO note (text) VALUES ($1)", [note.text])
            }
        }
        return jobs
    }

    private func notes(_ pool: PostgresPool) async throws -> [String] {
        try await pool.query("SELECT text FROM note") { try $0.decode(0, as: String.self) }
    }

    @Test func `each test has its tables to itself`() async throws {
        try await TestDatabase.with(Self.notes) { one in
            try await TestDatabase.with(Self.notes) { other in
                try await one.client.enqueue(Note(text: "one"))
                let runs = try await one.queue(Self.noting(one.pool)).drain()
                #expect(runs.map(\.became) == [.completed])
                #expect(try await notes(one.pool) == ["one"])
                #expect(try await notes(other.pool).isEmpty)
                #expect(try await other.inspector.jobs().isEmpty)
            }
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func `a real worker runs beside the test, and ends with it`() async throws {
        try await TestDatabase.with(Self.notes) { database in
            try await database.withWorker(Self.noting(database.pool)) {
                let id = try await database.client.enqueue(Note(text: "worked")).id
                let end = try await database.client.end(of: id, deadline: .seconds(20))
                #expect(end.status == .completed)
            }
            #expect(try await notes(database.pool) == ["worked"])
            #expect(try await database.inspector.sessions().isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a worker that can't run ends the test beside it, with the reason`() async throws {
        try await TestDatabase.with { database in
            try await database.pool.simple("DELETE FROM tenure.function_set")
            let wasCancelled = Mutex(false)
            let error = await #expect(throws: TenureError.self) {
                try await database.withWorker(Self.noting(database.pool)) {
                    do { try await Task.sleep(for: .seconds(3600)) } catch {
                        wasCancelled.withLock { $0 = true }
                        throw error
                    }
                }
            }
            #expect(error?.code == .schemaMismatch)
            #expect(wasCancelled.withLock { $0 })
        }
    }

    @Test func `what the test beside a worker throws comes out as it was`() async throws {
        try await TestDatabase.with { database in
            _ = await #expect(throws: Refused.self) {
                try await database.withWorker(JobRegistry()) { throw Refused() }
            }
        }
    }

    @Test func `a database after the first is a copy, and costs no migration`() async throws {
        let prepared = Mutex(0)
        let template = TestTemplate { pool in
            prepared.withLock { $0 += 1 }
            try await pool.simple("CREATE TABLE own (n int); INSERT INTO own VALUES (1)")
        }
        for _ in 0..<3 {
            let took = try await ContinuousClock().measure {
                try await TestDatabase.with(template) { database in
                    let rows = try await database.pool.query("UPDATE own SET n = n + 1")
                    #expect(rows == 1)
                }
            }
            print("a test's database, made and dropped: \(took)")
        }
        #expect(prepared.withLock { $0 } == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `nothing is left of a test process that was killed`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tk-\(JobID())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            setenv("TMPDIR", folder, 1)
            unsetenv("TENURE_TEST_DATABASE")
            let database = try await TestDatabase.make()
            try await database.client.enqueue(Note())
            try #require(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            kill(getpid(), SIGKILL)
        }
        while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a template that fails says so to each test that asks`() async throws {
        let broken = TestTemplate { _ in throw Refused() }
        for _ in 1...2 {
            await #expect(throws: Refused.self) { try await TestDatabase.make(broken) }
        }
    }

    @Test func `a given server is used, and cleared of what the killed left there`() async throws {
        let given = try await TestPostgres.dedicated()
        let oid = try await given.psql(
            "SELECT oid FROM pg_database WHERE datname = current_database()")
        let left = "tenure_test_\(oid)_17_1"
        let living = "tenure_test_\(oid)_18_1"
        for name in [left, living] { try await given.psql("CREATE DATABASE \(name)") }
        let other = PostgresPool(configuration: try PostgresConfiguration(given.conninfo), size: 1)
        try await other.simple("SELECT pg_advisory_lock(18)")
        try await TestDatabase.with(on: given.conninfo) { database in
            let names = try await given.psql("SELECT datname FROM pg_database")
            #expect(names.contains(database.name))
            #expect(names.contains(living))
            #expect(!names.contains(left))
        }
        await other.close()
    }

    @Test func `a role that may not make databases is told what it needs`() async throws {
        let given = try await TestPostgres.dedicated()
        try await given.psql("CREATE ROLE clerk LOGIN")
        let error = await #expect(throws: TestKitError.self) {
            try await TestDatabase.make(on: "\(given.conninfo) user=clerk")
        }
        #expect(error?.description.contains("CREATEDB") == true)
    }
}
