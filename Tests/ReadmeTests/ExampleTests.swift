import FaultSupport
import Tenure
import TenureSystem
import TenureTestDatabase
import TestSupport
import Testing

/// The programs of `Examples`, as real processes.
@Suite struct ExampleTests {
    private func shop(_ database: TestDatabase) throws -> ChildProcess {
        try ChildProcess(
            [ChildProcess.beside("shop-example")], environment: ["DATABASE_URL": database.conninfo])
    }

    @Test(.timeLimit(.minutes(2))) func `the first job runs on a database of its own`()
        async throws
    {
        let said = try #require(tmpfile())
        defer { fclose(said) }
        let first = try ChildProcess([ChildProcess.beside("first-example")], output: fileno(said))
        #expect(try await first.end(within: .seconds(60) * patience) == 0)
        rewind(said)
        var line = [CChar](repeating: 0, count: 1024)
        var lines: [String] = []
        while fgets(&line, Int32(line.count), said) != nil {
            lines.append(
                String(
                    decoding: line.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) },
                    as: UTF8.self))
        }
        #expect(lines.contains("Hello, Ada!\n"), "\(lines)")
    }

    /// Until as many sessions live, of a worker and a coordinator.
    private func sessions(_ database: TestDatabase) async throws -> [SessionStatus] {
        while true {
            let sessions = try await database.inspector.sessions()
            if sessions.count == 2 { return sessions }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["worker", "coordinator"])
    func `a program whose part an operator stops ends with exit code 0`(
        role: String
    ) async throws {
        try await TestDatabase.with { database in
            let shop = try shop(database)
            let session = try #require(
                try await sessions(database).first { $0.role == role })
            try await Operator(client: database.client, as: "ada").stop(session.id)
            #expect(try await shop.end(within: .seconds(30) * patience) == 0)
            #expect(try await database.inspector.sessions().isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a program ends with exit code 0 on SIGTERM, its sessions closed`() async throws {
        try await TestDatabase.with { database in
            let shop = try shop(database)
            _ = try await sessions(database)
            shop.send(SIGTERM)
            #expect(try await shop.end(within: .seconds(30) * patience) == 0)
            #expect(try await database.inspector.sessions().isEmpty)
        }
    }
}
