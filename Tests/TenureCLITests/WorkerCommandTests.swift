import Foundation
import Tenure
import Testing

@Suite struct WorkerCommandTests {
    /// Nine jobs of a second each, one at a time: one finishes, the others are not touched.
    @Test func `stop drains a worker without a failed job`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        for _ in 0..<9 {
            _ = try await tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":1}"#)
        }
        let worker = try tenure.start(
            "worker", "--queue", "default:3", "--name", "ada", "--lease", "3s")
        try await fixture.eventually(
            "three jobs run", "SELECT count(*) = 3 FROM tenure.job WHERE state = 'running'")
        let shown = try await tenure.run("worker", "show", "ada")
        #expect(shown.output.contains("demo-sleep"))
        let stopped = try await tenure.run("worker", "stop", "ada", "--wait", "--by", "eve")
        #expect(stopped.code == 0)
        #expect(stopped.output == "stopped 1 (ada)\n")
        #expect(try await worker.result().code == 0)
        #expect(worker.errors.contains("asked to stop"))
        let isClean = try await fixture.value(
            """
            SELECT (SELECT count(*) FROM tenure.attempt_error) = 0
               AND (SELECT bool_and(outcome = 'completed') AND count(*) >= 3
                    FROM tenure.job_history)
               AND (SELECT coalesce(bool_and(state = 'available' AND attempt = 0), true)
                    FROM tenure.job)
               AND (SELECT count(*) FROM tenure.job)
                   + (SELECT count(*) FROM tenure.job_history) = 9
            """, as: Bool.self)
        #expect(isClean)
        let again = try await tenure.run("worker", "stop", "1")
        #expect(again.code == 1 && again.output.contains("was over already"))
    }

    @Test func `a coordinator stops when it is asked, and up keeps its others`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let coordinator = try tenure.start("coordinator", "--name", "lea", "--lease", "3s")
        try await fixture.eventually(
            "it is there", "SELECT count(*) = 1 FROM tenure.session WHERE ended_at IS NULL")
        #expect(try await tenure.run("worker", "stop", "lea", "--wait").code == 0)
        #expect(try await coordinator.result().code == 0)
        let up = try tenure.start("up", "--workers", "2", "--lease", "3s", "--name", "crew")
        try await fixture.eventually(
            "two workers are there",
            """
            SELECT count(*) = 2 FROM tenure.session WHERE ended_at IS NULL AND role = 'worker'
            """)
        #expect(try await tenure.run("worker", "stop", "crew-1", "--wait").code == 0)
        try await eventually("up has noticed") {
            up.errors.contains("worker process 1 stopped as asked")
        }
        let live = try await tenure.run("worker", "list", "--json").array()
        #expect(live.compactMap { $0["name"] as? String }.sorted() == ["crew", "crew-2"])
        // The coordinator inside of up, by itself: the last worker takes a job after that.
        #expect(try await tenure.run("worker", "stop", "crew", "--wait").code == 0)
        try await eventually("up has noticed") {
            up.errors.contains("coordinator stopped as asked")
        }
        _ = try await tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#)
        try await fixture.eventually(
            "it is done",
            """
            SELECT count(*) = 1 FROM tenure.job_history
            WHERE outcome = 'completed' AND kind = 'demo-sleep'
            """)
        // And with the last of them up ends.
        #expect(try await tenure.run("worker", "stop", "crew-2", "--wait").code == 0)
        #expect(try await up.result().code == 0)
    }

    @Test func `a worker inside of up stops by itself, and up stays ready`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let port = UInt16.random(in: 29_010...31_000)
        let up = try tenure.start("up", "--lease", "3s", "--metrics-port", "\(port)")
        try await eventually("up is ready") { Scrape.get(port, "/readyz")?.status == 200 }
        #expect(try await tenure.run("worker", "stop", "--all", "--wait").code == 0)
        try await eventually("up has noticed") { up.errors.contains("worker stopped as asked") }
        #expect(Scrape.get(port, "/readyz")?.body == "ready\n")
        let live = try await tenure.run("worker", "list", "--json").array()
        #expect(live.compactMap { $0["role"] as? String } == ["coordinator"])
        up.send(SIGTERM)
        #expect(try await up.result().code == 0)
    }

    @Test func `key show tells what became of each generation`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        for _ in 0..<3 { _ = try await tenure.run("enqueue", "demo-fail", "--key", "page") }
        let shown = try await tenure.run("key", "show", "demo-fail", "page", "--json").object()
        let all = try #require(shown["generations"] as? [[String: Any]])
        let states = all.compactMap { ($0["job"] as? [String: Any])?["state"] as? String }
        #expect(states == ["available", "superseded", "superseded"])
        let text = try await tenure.run("key", "show", "demo-fail", "page").output
        #expect(text.contains("superseded before it ran"))
    }
}
