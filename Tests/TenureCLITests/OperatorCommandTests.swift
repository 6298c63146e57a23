import Tenure
import TestSupport
import Testing

@Suite struct OperatorCommandTests {
    @Test func `queues are listed, paused and resumed`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run("enqueue", "demo-fail", "--queue", "mail")
        #expect(try await tenure.run("queue", "pause", "mail").output == "paused mail\n")
        let table = try await tenure.run("queue", "list")
        #expect(table.output.contains("paused by"))
        let list = try await tenure.run("queue", "list", "--json").array()
        #expect(list[0]["name"] as? String == "mail")
        #expect(list[0]["paused"] as? Bool == true)
        #expect(list[0]["due"] as? Int == 1)
        #expect(try await tenure.run("queue", "resume", "mail").code == 0)
        let twice = try await tenure.run("queue", "resume", "mail")
        #expect(twice.code == 1)
        #expect(twice.output == "mail was not paused\n")
    }

    @Test func `migrate up brings an empty database to the schema`() async throws {
        let fixture = try await Fixture(migrated: false)
        let tenure = fixture.tenure
        let before = try await tenure.run("migrate", "status", "--json")
        #expect(before.code == 1)
        #expect(try before.array().allSatisfy { $0["state"] as? String == "pending" })
        let up = try await tenure.run("migrate", "up", "--json")
        #expect(up.code == 0)
        #expect((try up.object()["applied"] as? [String])?.first == "0001_create_jobs.sql")
        #expect(try await tenure.run("migrate", "up").output == "the schema is current\n")
        #expect(try await tenure.run("migrate", "status").code == 0)
    }

    @Test func `another schema is a queue of its own`() async throws {
        let fixture = try await Fixture()
        let other = fixture.tenure.with("TENURE_SCHEMA", "second_queue")
        #expect(try await other.run("job", "list").code == 2)
        #expect(try await other.run("migrate", "up").code == 0)
        #expect(try await other.run("enqueue", "demo-fail").code == 0)
        #expect(try await other.run("job", "list", "--json").array().count == 1)
        #expect(try await fixture.jobs() == 0)
    }

    /// Behind a pooler it also warns that notifications don't come.
    @Test(.enabled(if: !TestPostgres.isPooled))
    func `the doctor warns of missing workers and fails on missing durability`() async throws {
        let fixture = try await Fixture()
        let well = try await fixture.tenure.run("doctor", "--json")
        #expect(well.code == 1)
        let warned = try well.array().filter { $0["level"] as? String == "warn" }
        #expect(warned.map { $0["check"] as? String } == ["workers"])
        let quiet = try await fixture.tenure.run("doctor", "--quiet")
        #expect(quiet.output.split(separator: "\n").count == 1)

        let careless = try await TestPostgres.dedicated(
            settings: ["fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"])
        let ill = try await Command(careless.conninfo).run("doctor")
        #expect(ill.code == 2)
        #expect(ill.output.contains("fail  fsync: off"))
        #expect(ill.output.contains("fail  schema"))
        #expect(ill.output.contains("warn  synchronous_commit: off"))
    }

    @Test func `every help has an example`() async throws {
        let dump = try await Command().run("--experimental-dump-help").object()
        let root = try #require(dump["command"] as? [String: Any])
        var commands = [root]
        var seen = 0
        while let command = commands.popLast() {
            let name = command["commandName"] as? String ?? "?"
            if name == "help" { continue }
            seen += 1
            let text = command["discussion"] as? String ?? ""
            #expect(text.contains("Example:"), "tenure … \(name)")
            commands += command["subcommands"] as? [[String: Any]] ?? []
        }
        #expect(seen > 15)
        let version = try await Command().run("--version")
        #expect(version.code == 0 && version.output == "0.1.0-dev\n")
    }
}
