import Foundation
import Tenure
import TestSupport
import Testing

/// Signals, children, and what is left when a process goes.
@Suite struct ProcessTests {
    @Test func `a worker that is told to stop hands its job back and exits 0`() async throws {
        let fixture = try await Fixture()
        let added = try await fixture.tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#)
        #expect(added.code == 0)
        let worker = try fixture.tenure.start("worker", "--grace", "0s", "--log-format", "json")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        let list = try await fixture.tenure.run("worker", "list", "--json").array()
        #expect(list[0]["running"] as? Int == 1)
        worker.send(SIGTERM)
        let result = try await worker.result()
        #expect(result.code == 0)
        let isBack = try await fixture.value(
            "SELECT state = 'available' AND attempt = 0 AND runs = 1 FROM tenure.job",
            as: Bool.self)
        #expect(isBack)
        for line in result.errorLines {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(entry?["message"] != nil && entry?["level"] != nil && entry?["time"] != nil)
        }
    }

    @Test func `a second signal ends the grace period`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#)
        let worker = try fixture.tenure.start("worker", "--grace", "10m")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        worker.send(SIGTERM)
        try await eventually("it shuts down") { worker.errors.contains("shutting down") }
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        #expect(
            try await fixture.value(
                "SELECT state = 'available' AND attempt = 0 FROM tenure.job", as: Bool.self))
    }

    /// Behind a pooler it reaches it with the next beat.
    @Test(.enabled(if: !TestPostgres.isPooled))
    func `cancelling a running job reaches its worker at once`() async throws {
        let fixture = try await Fixture()
        let added = try await fixture.tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#, "--json")
        let id = try #require(try added.object()["id"] as? String)
        let worker = try fixture.tenure.start("worker", "--lease", "60s")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        // Its beats are ten seconds apart: only the wake-up can be faster.
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await fixture.tenure.run("job", "cancel", id).output == "cancelling \(id)\n")
        try await fixture.eventually(
            "the run has let go", within: .seconds(4),
            "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'cancelled'")
        worker.send(SIGINT)
        #expect(try await worker.result().code == 0)
    }

    @Test func `show lists the errors of a job that failed for good`() async throws {
        let fixture = try await Fixture()
        let added = try await fixture.tenure.run(
            "enqueue", "demo-fail", "--payload", #"{"message":"out of ink"}"#, "--max-attempts",
            "1", "--json")
        let id = try #require(try added.object()["id"] as? String)
        let worker = try fixture.tenure.start("worker")
        try await fixture.eventually(
            "the job is discarded",
            "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'discarded'")
        let shown = try await fixture.tenure.run("job", "show", id)
        #expect(shown.output.contains("out of ink"))
        let story = try await fixture.tenure.run("job", "show", id, "--json").object()
        #expect((story["errors"] as? [Any])?.count == 1)
        let listed = try await fixture.tenure.run("job", "list", "--state", "discarded", "--json")
        #expect(try listed.array().count == 1)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    @Test func `a kind that only a live worker knows may be enqueued`() async throws {
        let fixture = try await Fixture()
        let stranger = fixture.tenure.with("TENURE_DEMO_JOBS", nil)
        #expect(try await stranger.run("enqueue", "demo-fail").code == 2)
        let worker = try fixture.tenure.start("worker", "--queue", "other")
        try await fixture.eventually(
            "the worker is there",
            "SELECT count(*) = 1 FROM tenure.session WHERE ended_at IS NULL")
        #expect(try await stranger.run("enqueue", "demo-fail").code == 0)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    @Test func `an interrupted command ends with 3`() async throws {
        let server = try SilentServer()
        let command = try Command("host=127.0.0.1 port=\(server.port)").start("job", "list")
        try await eventually("it connects") { server.hasClient() }
        command.send(SIGINT)
        let result = try await command.result()
        #expect(result.code == 3)
        #expect(result.errors == "tenure: cancelled\n")
    }

    @Test func `up runs everything, shares its database and takes it all down`() async throws {
        try await withFolder { folder in
            let tenure = Command(folder: folder)
            let up = try tenure.start("up", "--workers", "2", "--grace", "0s")
            try await eventually("two workers run") {
                let list = try await tenure.run("worker", "list", "--json")
                guard list.code == 0 else { return false }
                return try list.array().filter { $0["role"] as? String == "worker" }.count == 2
            }
            let added = try await tenure.run(
                "enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#)
            #expect(added.code == 0)
            try await eventually("the job completes") {
                // Beside what the coordinator has enqueued by itself.
                try await tenure.run(
                    "job", "list", "--state", "completed", "--kind", "demo-sleep", "--json"
                ).array().count == 1
            }
            let children = childrenOf(up.id)
            try #require(children.count >= 2)
            kill(children[0], SIGKILL)
            try await eventually("it is started again") {
                up.errors.contains("ended unasked") && childrenOf(up.id).count == children.count
            }
            let last = childrenOf(up.id)
            up.send(SIGTERM)
            let result = try await up.result()
            #expect(result.code == 0)
            try await eventually("all are gone") { last.allSatisfy { kill($0, 0) != 0 } }
            let finished = try await tenure.run(
                "job", "list", "--finished", "--kind", "demo-sleep", "--json")
            #expect(try finished.array().count == 1)
        }
    }

    @Test func `children of a killed up end by themselves`() async throws {
        try await withFolder { folder in
            let up = try Command(folder: folder).start("up", "--workers", "2", "--grace", "0s")
            try await eventually("workers run") {
                up.errors.components(separatedBy: "worker process started").count == 3
            }
            try await Task.sleep(for: .milliseconds(500))
            let children = childrenOf(up.id)
            up.send(SIGKILL)
            try await eventually("all are gone") { children.allSatisfy { kill($0, 0) != 0 } }
        }
    }
}

func eventually(
    _ what: String, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(100))
    }
    throw NeverHappened(what: what)
}

/// The worker processes that a process has started.
private func childrenOf(_ parent: pid_t) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { pid_t($0) }.filter { pid in
        // Reason for `try?`: a process may end while it is looked at.
        let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let line = (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 1 && fields[1] == "\(parent)" && fields[0] != "Z"
            && line.contains("--end-with-parent")
    }
}
