import Foundation
import Tenure
import Testing

@Suite struct AfterCommandTests {
    @Test func `a job that waits for others is enqueued, shown, and cancelled with them`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        func add(_ flags: String...) async throws -> String {
            let added = try await tenure.runAll(
                ["enqueue", "demo-sleep", "--json"] + flags
            ).object()
            return try #require(added["id"] as? String)
        }
        let first = try await add()
        let second = try await add("--after-completed", first)
        let third = try await add("--after-ended", first, "--after-ended", second)
        let shown = try await tenure.run("job", "show", third)
        #expect(shown.output.contains("waits for 2 jobs to end"), "\(shown.output)")
        #expect(shown.output.contains("after"))
        let story = try await tenure.run("job", "show", first, "--json").object()
        let waiters = try #require(story["waiters"] as? [String: Any])
        #expect(waiters["count"] as? Int == 2)
        let cancelled = try await tenure.run("job", "cancel", first, "--reason", "wrong list")
        #expect(cancelled.code == 0, "\(cancelled.errors)")
        #expect(try await tenure.run("action", "list").output.contains("wrong list"))
        let doomed = try await tenure.run("job", "show", second)
        #expect(
            doomed.output.contains("waited for job \(first), which is cancelled: it is cancelled"),
            "\(doomed.output)")
        let worker = try tenure.start("worker")
        try await fixture.eventually(
            "it was cancelled",
            "SELECT count(*) = 2 FROM tenure.job_history WHERE outcome = 'cancelled'")
        worker.send(SIGTERM)
        _ = try await worker.result()
        let after = try await tenure.run("job", "show", second)
        #expect(after.output.contains("after: job \(first) was cancelled"), "\(after.output)")
    }

    @Test func `a job that waits for a key is enqueued, shown, and let go`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run("enqueue", "demo-sleep", "--key", "a=b")
        let added = try await tenure.run(
            "enqueue", "demo-sleep", "--json", "--after-key", "demo-sleep=a=b"
        ).object()
        let waiter = try #require(added["id"] as? String)
        let shown = try await tenure.run("job", "show", waiter)
        #expect(shown.output.contains("key \"a=b\" of demo-sleep"), "\(shown.output)")
        let cases = [
            ("demo-sleep", "give a kind and a key"), ("=a", "give a kind and a key"),
            ("demo-sleep=", "--after-key's key"),
            ("demo-sleep=never", "of which nothing is known"),
        ]
        for (value, text) in cases {
            let refused = try await tenure.run("enqueue", "demo-sleep", "--after-key", value)
            #expect(refused.code != 0 && refused.errors.contains(text), "\(refused.errors)")
        }
        let worker = try tenure.start("worker")
        try await fixture.eventually(
            "both ran", "SELECT count(*) = 2 FROM tenure.job_history WHERE outcome = 'completed'")
        worker.send(SIGTERM)
        _ = try await worker.result()
    }

    @Test func `a signal that nobody has received is shown`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let added = try await tenure.run("enqueue", "demo-sleep", "--json").object()
        let job = try #require(added["id"] as? String)
        _ = try await tenure.run("job", "signal", job, "PAID")
        let shown = try await tenure.run("job", "show", job).output
        #expect(shown.contains("1 not received: \"PAID\" (by "), "\(shown)")
    }

    @Test func `a job that can't be waited for is one line`() async throws {
        let fixture = try await Fixture()
        let cases = [
            ("friday", "a job's id looks like"),
            ("01990000-0000-7000-8000-000000000000", "neither unfinished nor in history"),
        ]
        for (id, text) in cases {
            let refused = try await fixture.tenure.run(
                "enqueue", "demo-sleep", "--after-completed", id)
            #expect(refused.code != 0)
            #expect(refused.errors.contains(text), "\(refused.errors)")
        }
        #expect(try await fixture.jobs() == 0)
    }
}
