import Tenure
import Testing

@Suite struct HostCommandTests {
    @Test func `a host's limits are set, shown and listed`() async throws {
        let tenure = try await Fixture().tenure
        let set = try await tenure.run(
            "host", "set", "Example.org", "--max-running", "4", "--min-interval", "500ms",
            "--own", "--by", "ada", "--json")
        #expect(set.code == 0, "\(set.errors)")
        let host = try set.object()
        #expect(host["host"] as? String == "example.org")
        #expect(host["own"] as? Bool == true)
        #expect(host["maxRunning"] as? Int == 4)
        #expect(host["minIntervalSeconds"] as? Double == 0.5)
        #expect(host["setBy"] as? String == "ada")
        let list = try await tenure.run("host", "list", "--busy", "--json").array()
        #expect(list.count == 1)
        let show = try await tenure.run("host", "show", "example.org")
        #expect(show.output.contains("example.org (own)"))
        #expect(try await tenure.run("host", "show", "other.example").code == 2)
        let foreign = try await tenure.run("host", "set", "example.org", "--no-own", "--json")
        #expect(try foreign.object()["own"] as? Bool == false)
        #expect(try foreign.object()["maxRunning"] as? Int == 4)
    }

    @Test func `a host is put on hold and released`() async throws {
        let tenure = try await Fixture().tenure
        let hold = try await tenure.run(
            "host", "hold", "example.com", "--for", "1h", "--reason", "their mail", "--json")
        #expect(hold.code == 0, "\(hold.errors)")
        #expect(try hold.object()["holdReason"] as? String == "their mail")
        #expect(try hold.object()["heldUntil"] as? String != nil)
        #expect(try await tenure.run("host", "list").output.contains("their mail"))
        let release = try await tenure.run("host", "release", "example.com")
        #expect(release.code == 0 && release.output == "released example.com\n")
        #expect(try await tenure.run("host", "release", "example.com").code == 1)
    }

    @Test(arguments: [
        (["host", "set", "example.org"], "there is nothing to set; give --max-running"),
        (["host", "set", "https://example.org/", "--own"], "host is \"https://example.org/\""),
        (["host", "set", "a.test", "--max-running", "0"], "--max-running is 0; give 1 to 1000000"),
        (["host", "hold", "a.test", "--for", "soon"], "--for is \"soon\"; give 1s to"),
    ])
    func `bad input is refused in one line`(arguments: [String], line: String) async throws {
        let fixture = try await Fixture()
        let result = try await RunningCommand(fixture.tenure, arguments, input: nil).result()
        #expect(result.code == 2)
        #expect(result.errorLines.count == 1 && result.errors.contains(line), "\(result.errors)")
    }

    @Test func `explain says what holds a URL back and when it is tried next`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let url = "https://example.org/page"
        let unknown = try await tenure.run("explain", url)
        #expect(unknown.output == "never seen; `tenure fetch \(url)` fetches it\n")
        #expect(try await tenure.run("fetch", url).code == 0)
        let alone = try await tenure.run("explain", url, "--json").object()
        #expect(Self.rules(alone) == ["noWorker"])
        #expect(Self.job(alone)?["lane"] as? String == "host:example.org")
        _ = try await tenure.run("host", "hold", "example.org", "--for", "1h", "--by", "ada")
        _ = try await tenure.run("queue", "pause", "default", "--by", "bob")
        let held = try await tenure.run("explain", url, "--json").object()
        #expect(Self.rules(held) == ["queuePaused", "noWorker", "laneOnHold"])
        let text = try await tenure.run("explain", url)
        #expect(text.output.contains("lane host:example.org is on hold by ada, until "))
        #expect(text.output.contains("queue default is paused by bob"))
        #expect(text.output.contains("not before that has changed"))
    }

    private static func job(_ explained: [String: Any]) -> [String: Any]? {
        (explained["jobs"] as? [[String: Any]])?.first
    }

    private static func rules(_ explained: [String: Any]) -> [String] {
        (job(explained)?["delays"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
    }
}
