import Foundation
import Tenure
import Testing

@Suite struct ActionCommandTests {
    private func actions(_ tenure: Command, _ more: String...) async throws -> [[String: Any]] {
        try await tenure.runAll(["action", "list", "--json"] + more).array()
    }

    @Test func `whatever somebody does by commands is told, with by whom and why`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        #expect(try await tenure.run("action", "list").output.contains("nobody has done anything"))
        _ = try await tenure.run("queue", "pause", "mail", "--by", "ada", "--reason", "they move")
        _ = try await tenure.run("queue", "pause", "mail", "--by", "eve")
        _ = try await tenure.run("queue", "resume", "mail")
        _ = try await tenure.run("queue", "limit", "mail", "3")
        _ = try await tenure.run("queue", "capacity", "mail", "30")
        _ = try await tenure.run("kind", "pause", "k", "--by", "ada", "--reason", "it leaks")
        _ = try await tenure.run("kind", "resume", "k")
        _ = try await tenure.run("lane", "set", "l", "--max-running", "2")
        _ = try await tenure.run("lane", "hold", "l", "--for", "1h", "--reason", "import")
        _ = try await tenure.run("lane", "release", "l")
        _ = try await tenure.run("host", "set", "a.test", "--own")
        _ = try await tenure.run("schedule", "add", "s", "demo-sleep", "--every", "1h")
        for verb in ["pause", "resume", "remove"] {
            _ = try await tenure.run("schedule", verb, "s")
        }
        _ = try await tenure.run("notify", "add", "ops", "--webhook", "http://a.test/")
        _ = try await tenure.run("notify", "remove", "ops")
        _ = try await tenure.run("links", "ignore", "https://a.test/*", "--reason", "theirs")
        _ = try await tenure.run("links", "unignore", "1")
        let all = try await actions(tenure)
        let told = all.reversed().map { "\($0["verb"] ?? "") \($0["thing"] ?? "")" }
        #expect(
            told == [
                "pause queue", "resume queue", "limit queue", "bound queue", "pause kind",
                "resume kind", "set lane", "hold lane", "release lane", "set lane", "own host",
                "set schedule", "pause schedule", "resume schedule", "remove schedule",
                "add channel", "remove channel", "add ignore rule", "remove ignore rule",
            ], "\(told)")
        #expect(all.allSatisfy { $0["source"] as? String == "cli" })
        let paused = try await actions(tenure, "--by", "ada", "--verb", "pause")
        #expect(paused.compactMap { $0["reason"] as? String } == ["it leaks", "they move"])
        #expect(try await actions(tenure, "--since", "1h", "--limit", "3").count == 3)
        let table = try await tenure.run("action", "list", "--verb", "hold").output
        #expect(table.contains("lane") && table.contains("import"))
        #expect(try await tenure.run("action", "list", "--limit", "0").code == 2)
        for reason in ["", " ", String(repeating: "w", count: 1025)] {
            for noun in ["queue", "kind", "schedule"] {
                let run = try await tenure.run(noun, "pause", "mail", "--reason", reason)
                #expect(run.code == 2, "\(noun): \(reason.count)")
            }
        }
    }

    @Test func `a bulk is one row, and a job's page finds it`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue('k', queue => 'mail') FROM generate_series(1, 250);
            SELECT tenure.enqueue('k', queue => 'other')
            """)
        let one: UUID = try await fixture.pool.query(
            "SELECT id FROM tenure.job WHERE queue = 'other'"
        ) { try $0.decode(0) }[0]
        let many: UUID = try await fixture.pool.query(
            "SELECT id FROM tenure.job WHERE queue = 'mail' LIMIT 1"
        ) { try $0.decode(0) }[0]
        _ = try await tenure.run("job", "cancel", "\(one)".lowercased(), "--by", "ada")
        _ = try await tenure.run("job", "cancel", "--all", "--queue", "mail", "--by", "eve")
        _ = try await tenure.run(
            "job", "retry", "--all", "--state", "cancelled", "--queue", "mail")
        let all = try await actions(tenure)
        #expect(all.compactMap { $0["jobs"] as? Int } == [250, 250, 1])
        let about = try #require(all[1]["about"] as? [String: [String: Any]])
        #expect(about["filter"]?["queue"] as? String == "mail")
        let whom = try await actions(tenure, "--job", "\(many)".lowercased())
        #expect(whom.compactMap { $0["by"] as? String } == ["eve"])
        let whose = try await actions(tenure, "--job", "\(one)".lowercased())
        #expect(whose.compactMap { $0["by"] as? String } == ["ada"])
    }
}
