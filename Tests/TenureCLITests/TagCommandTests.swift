import Foundation
import Tenure
import Testing

@Suite struct TagCommandTests {
    private func ids(_ tenure: Command, _ flags: String...) async throws -> Set<String> {
        let list = try await tenure.runAll(["job", "list", "--json"] + flags)
        return Set(try list.array().compactMap { $0["id"] as? String })
    }

    @Test func `jobs are found, changed and cancelled by their tags and their payloads`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        func add(_ flags: String...) async throws -> String {
            let added = try await tenure.runAll(
                ["enqueue", "demo-sleep", "--after", "1h", "--json"] + flags
            ).object()
            return try #require(added["id"] as? String)
        }
        let user = #"{"milliseconds": 5, "user": {"id": 17, "name": "ada"}}"#
        let first = try await add("--tag", "import", "--tag", "eu", "--payload", user)
        let second = try await add("--tag", "import", "--key", "a")
        let third = try await add("--payload", user)
        #expect(try await ids(tenure, "--tag", "import") == [first, second])
        #expect(try await ids(tenure, "--tag", "import", "--tag", "eu") == [first])
        #expect(try await ids(tenure, "--tag", "none") == [])
        #expect(try await ids(tenure, "--where", "user.id=17") == [first, third])
        #expect(try await ids(tenure, "--where", "user.id=17", "--tag", "eu") == [first])
        #expect(try await ids(tenure, "--where", #"user.id="17""#) == [])
        #expect(
            try await ids(tenure, "--where", "user.name=ada", "--where", "milliseconds=5")
                == [first, third])
        let shown = try await tenure.run("job", "show", first)
        #expect(shown.output.contains("tags") && shown.output.contains("eu, import"))
        let edited = try await tenure.run("job", "edit", first, "--tag", "done", "--priority", "2")
        #expect(edited.code == 0, "\(edited.errors)")
        let story = try await tenure.run("job", "show", first, "--json").object()
        #expect(story["tags"] as? [String] == ["done"])
        let log = try await tenure.run("action", "list")
        #expect(log.output.contains("tags eu import → done"), "\(log.output)")
        #expect(try await tenure.run("job", "edit", first, "--no-tags").code == 0)
        #expect(try await ids(tenure, "--tag", "done") == [])
        let cancelled = try await tenure.run("job", "cancel", "--all", "--tag", "import")
        #expect(cancelled.code == 0, "\(cancelled.errors)")
        #expect(try await ids(tenure, "--tag", "import", "--finished") == [second])
        let forgotten = try await tenure.run(
            "job", "forget", "--all", "--where", "user.id=17", "--cancel", "--yes")
        #expect(forgotten.code == 0, "\(forgotten.errors)")
        #expect(try await ids(tenure, "--finished") == [second])
        let again = try await tenure.run("job", "retry", second)
        #expect(again.code == 0, "\(again.errors)")
        #expect(try await ids(tenure, "--tag", "import").count == 1)
    }

    @Test(arguments: [
        (["--tag", ""], "--tag has 0 bytes; give 1 to 64"),
        (["--tag", String(repeating: "x", count: 65)], "--tag has 65 bytes; give 1 to 64"),
        ((1...11).flatMap { ["--tag", "\($0)"] }, "--tag are 11; give at most 10"),
        (["--tag", "a\u{202E}b"], "--tag has the control character U+202E; remove it"),
    ])
    func `what is no tag is refused in one line`(flags: [String], words: String) async throws {
        let fixture = try await Fixture()
        let refused = try await fixture.tenure.runAll(["enqueue", "demo-sleep"] + flags)
        #expect(refused.code == 1 || refused.code == 2)
        #expect(refused.errors.contains(words), "\(refused.errors)")
        #expect(refused.errors.split(separator: "\n").count == 1)
    }
}
