import FaultSupport
import Foundation
import Tenure
import TestSupport
import Testing

/// The way wake-ups come, as an operator reads it, with a pooler in front of the database.
@Suite struct PoolerCommandTests {
    private static func line(_ arguments: [String], past: Bool = false) async throws -> String {
        let fixture = try await Fixture()
        let database = try await fixture.value("SELECT current_database()", as: String.self)
        let pooler = try await TestPostgres.shared().pooler()
        defer { pooler.stop() }
        let direct = TestPostgres.conninfo(
            try await TestPostgres.shared().conninfo, database: database)
        var tenure = fixture.tenure.with(
            "DATABASE_URL", pooler.conninfo(database: database))
        if past { tenure = tenure.with("TENURE_LISTEN_URL", direct) }
        let worker = try tenure.start(["worker", "--lease", "3s"] + arguments)
        let end = ContinuousClock.now + .seconds(30)
        while !worker.errors.contains("wake-ups come by"), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = worker.errors
        // It works, whichever way.
        _ = try await tenure.run("enqueue", "demo-fail", "--max-attempts", "1")
        try await fixture.eventually(
            "the job ran", "SELECT count(*) = 1 FROM tenure.job_history")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        return text.split(separator: "\n").filter { $0.contains("wake-ups") }
            .joined(separator: "\n")
    }

    @Test(arguments: [[], ["--pooler"]])
    func `a worker behind a pooler polls, and says so once`(arguments: [String]) async throws {
        let line = try await Self.line(arguments)
        #expect(line.contains("polling alone"))
        #expect(line.contains("listenURL"))
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func `a worker behind a pooler listens past it`() async throws {
        let line = try await Self.line([], past: true)
        #expect(line.contains("notifications"))
        #expect(line.contains("a connection of its own"))
    }

    @Test func `no-pooler is refused where there is one`() async throws {
        let pooler = try await TestPostgres.shared().pooler()
        defer { pooler.stop() }
        let result = try await Command(pooler.conninfo()).run("worker", "--no-pooler")
        #expect(result.code == 2)
        #expect(result.errors.contains("pooler is false, and a pooler is in between"))
    }

    @Test func `a place to listen that can't be read is refused by its name`() async throws {
        let result = try await Command("host=/nowhere").with("TENURE_LISTEN_URL", "a=b")
            .run("worker")
        #expect(result.code == 2)
        #expect(result.errors.contains("TENURE_LISTEN_URL"))
    }
}
