import Foundation
import Tenure
import Testing

@Suite struct KindCommandTests {
    @Test func `a paused kind waits, and is shown wherever somebody looks`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let paused = try await tenure.run(
            "kind", "pause", "demo-sleep", "--by", "ada", "--reason", "it leaks")
        #expect(paused.output == "paused demo-sleep; no job and no worker names it so far\n")
        let worker = try tenure.start("worker", "--queue", "default:2")
        for kind in ["demo-sleep", "demo-fail"] {
            _ = try await tenure.run("enqueue", kind, "--payload", #"{"seconds":0}"#)
        }
        try await fixture.eventually(
            "the other kind runs",
            "SELECT bool_or(runs > 0) FROM tenure.job WHERE kind = 'demo-fail'")
        let waits = "SELECT count(*) FROM tenure.job WHERE kind = 'demo-sleep' AND runs = 0"
        #expect(try await fixture.value(waits, as: Int64.self) == 1)
        let list = try await tenure.run("kind", "list")
        #expect(list.output.contains("paused by ada"))
        #expect(list.output.contains("demo-sleep: it leaks"))
        #expect(try await tenure.run("stats").output.contains("demo-sleep is paused by ada"))
        #expect(try await tenure.run("doctor").output.contains("tenure kind resume demo-sleep"))
        let top = try await tenure.run("top", "--count", "1", "--json").object()
        #expect((top["pausedKinds"] as? [[String: Any]])?.first?["reason"] as? String == "it leaks")
        #expect(try await tenure.run("kind", "resume", "demo-sleep").code == 0)
        try await fixture.eventually(
            "it runs", "SELECT count(*) = 1 FROM tenure.job_history WHERE kind = 'demo-sleep'")
        #expect(try await tenure.run("kind", "resume", "demo-sleep").code == 1)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    @Test func `letters go where an operator says, and are shown wherever somebody looks`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let set = try await tenure.run("kind", "letters", "demo-sleep", "lost", "--queue", "desk")
        #expect(set.output == "letters of kind demo-sleep go to lost in desk\n")
        let queue = try await tenure.run("queue", "letters", "default", "late", "--json").object()
        #expect((queue["letters"] as? [String: Any])?["kind"] as? String == "late")
        #expect(try await tenure.run("kind", "list").output.contains("lost in desk"))
        #expect(try await tenure.run("queue", "show", "default").output.contains("late"))
        let enqueued = try await tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":0,"password":"hush"}"#, "--json"
        ).object()
        let id = try #require(enqueued["id"] as? String)
        _ = try await tenure.run("job", "discard", id)
        let told = try await tenure.run("job", "show", id, "--json").object()
        let letter = try #require(told["letter"] as? String)
        #expect(try await tenure.run("job", "show", id).output.contains(letter))
        let shown = try await tenure.run("job", "show", letter).output
        #expect(shown.contains("desk") && shown.contains("discarded by"))
        let refused = try await tenure.run("kind", "letters", "demo-sleep", "demo-sleep")
        #expect(refused.code != 0 && refused.errors.contains("kind of their own"))
        let actions = try await tenure.run("action", "list").output
        #expect(actions.contains("letter") && actions.contains("demo-sleep"))
        let taken = try await tenure.run("kind", "letters", "demo-sleep", "none")
        #expect(taken.output == "kind demo-sleep has no letters any more\n")
        let again = try await tenure.run("kind", "letters", "demo-sleep", "none")
        #expect(again.output == "kind demo-sleep had no letters\n")
    }

    @Test func `a coordinator pauses a kind that kills its processes`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.kind_death (kind, session_id, claimed_at, died_at, alone)
            SELECT 'demo-sleep', n, clock_timestamp() - make_interval(secs => 60 - n),
                   clock_timestamp() - make_interval(secs => 60.0 - n - 0.5), true
            FROM generate_series(1, 4) AS n
            """)
        let coordinator = try tenure.start("coordinator", "--breaker-deaths", "4")
        try await fixture.eventually(
            "it is paused",
            "SELECT count(*) = 1 FROM tenure.kind WHERE paused_by = 'the breaker'")
        coordinator.send(SIGTERM)
        let result = try await coordinator.result()
        #expect(result.errors.contains("kind paused"))
        #expect(result.errors.contains("4 runs ended with their process within 10 min"))
        let refused = try await tenure.run("coordinator", "--breaker-deaths", "1")
        #expect(refused.code == 2 && refused.errors.contains("give 2 to 1000, or 0 for none"))
    }
}
