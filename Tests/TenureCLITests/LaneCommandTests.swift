import Tenure
import Testing

@Suite struct LaneCommandTests {
    @Test func `a lane's limits are set, shown and listed`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        #expect(try await tenure.run("lane", "list").output.hasPrefix("no lanes: no job of queue"))
        let unknown = try await tenure.run("lane", "show", "tenant:1")
        #expect(unknown.code == 2 && unknown.errors.contains("nothing is known of lane tenant:1"))
        let set = try await tenure.run(
            "lane", "set", "tenant:1", "--queue", "mail", "--max-running", "4", "--min-interval",
            "500ms", "--by", "ada", "--json")
        #expect(set.code == 0, "\(set.errors)")
        let lane = try set.object()
        #expect(lane["lane"] as? String == "tenant:1" && lane["maxRunning"] as? Int == 4)
        #expect(lane["minIntervalSeconds"] as? Double == 0.5 && lane["setBy"] as? String == "ada")
        try await fixture.pool.simple(
            "SELECT tenure.enqueue('k', queue => 'mail', lane => 'free:' || n) "
                + "FROM generate_series(1, 3) AS n")
        let all = try await tenure.run("lane", "list", "--queue", "mail", "--json").array()
        #expect(all.count == 4)
        let some = try await tenure.run(
            "lane", "list", "--queue", "mail", "--prefix", "free:", "--limit", "2", "--json")
        #expect(try some.array().compactMap { $0["lane"] as? String } == ["free:1", "free:2"])
        let shown = try await tenure.run("lane", "show", "free:1", "--queue", "mail")
        #expect(shown.output.contains("due      "), "\(shown.output)")
    }

    @Test func `a lane is put on hold and released, and its job says why it waits`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        try await fixture.pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{default}', '{k}');
            SELECT tenure.enqueue('k', lane => 'a');
            """)
        let id = try await fixture.value("SELECT id::text FROM tenure.job", as: String.self)
        let due = try await tenure.run("job", "show", id)
        #expect(due.output.contains("due: it starts with the next free slot"))
        let hold = try await tenure.run(
            "lane", "hold", "a", "--for", "1h", "--reason", "their import", "--by", "ada", "--json")
        #expect(hold.code == 0, "\(hold.errors)")
        #expect(try hold.object()["holdReason"] as? String == "their import")
        let shorter = try await tenure.run("lane", "hold", "a", "--for", "1m")
        #expect(shorter.errors.contains("a longer hold stands"), "\(shorter.errors)")
        #expect(shorter.errors.contains("tenure lane release a --queue default"))
        let held = try await tenure.run("job", "show", id, "--json").object()
        let delay = try #require((held["delays"] as? [[String: Any]])?.first)
        #expect(delay["rule"] as? String == "laneOnHold" && delay["until"] as? String != nil)
        let text = try await tenure.run("job", "show", id).output
        #expect(text.contains("lane a is on hold by ada: their import, until "), "\(text)")
        let release = try await tenure.run("lane", "release", "a")
        #expect(release.code == 0 && release.output == "released a\n")
        #expect(try await tenure.run("lane", "release", "a").code == 1)
    }

    @Test(arguments: [
        (["lane", "set", "a"], "nothing to set; give --max-running, --min-interval, --rate"),
        (["lane", "set", "a", "--burst", "2"], "--burst needs --rate or --min-interval"),
        (["lane", "set", "a", "--rate", "5"], "--rate is \"5\"; give 1 to 1000000 starts"),
        (["lane", "set", "a", "--rate", "0/1s"], "--rate is \"0/1s\"; give 1 to 1000000"),
        (
            ["lane", "set", "a", "--rate", "5/1s", "--min-interval", "1s"],
            "give --rate or --min-interval, not both"
        ),
        (["lane", "set", "a", "--rate", "5/1s", "--burst", "0"], "--burst is 0; give 1 to 10000"),
        (["lane", "set", "a", "--max-running", "0"], "--max-running is 0; give 1 to 1000000"),
        (["lane", "set", "a", "--min-interval", "366d"], "--min-interval is \"366d\"; give 0s to"),
        (["lane", "set", "", "--max-running", "1"], "lane"),
        (["lane", "hold", "a", "--for", "soon"], "--for is \"soon\"; give 1s to"),
        (["lane", "list", "--limit", "0"], "--limit is 0; give 1 to 100000"),
    ])
    func `bad input is refused in one line`(arguments: [String], line: String) async throws {
        let fixture = try await Fixture()
        let result = try await RunningCommand(fixture.tenure, arguments, input: nil).result()
        #expect(result.code == 2)
        #expect(result.errorLines.count == 1 && result.errors.contains(line), "\(result.errors)")
    }
}
