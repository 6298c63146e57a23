import Foundation
import Tenure
import Testing

@Suite struct MetricsTests {
    private static let port = UInt16.random(in: 20_000...29_000)

    /// Name and labels to value. Every line is a comment or a sample, and every family has a type.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var types: Set<String> = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                let name = String(line.split(separator: " ")[2])
                #expect(types.insert(name).inserted, "\(name) has two types")
                continue
            }
            if line.hasPrefix("#") { continue }
            let match = try #require(
                line.wholeMatch(of: #/([a-z_]+)(\{[^}]*\})? (\S+)/#), "no sample: \(line)")
            let family = String(match.1).replacing(#/_(bucket|sum|count)$/#, with: "")
            #expect(types.contains(family) || types.contains(String(match.1)), "\(line)")
            samples["\(match.1)\(match.2 ?? "")"] = Double(match.3)
        }
        return samples
    }

    @Test func `health, readiness and figures of a worker and a coordinator`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        try await enqueueSome(tenure)
        let (own, other) = (Self.port, Self.port + 1)
        // A lease that a busy machine doesn't let run out: the job would be nobody's when it is
        // superseded, and no run would be cancelled.
        let worker = try tenure.start("worker", "--metrics-port", "\(own)", "--lease", "12s")
        let coordinator = try tenure.start(
            "coordinator", "--metrics-port", "\(other)", "--lease", "3s")
        try await eventually("the jobs are done") {
            guard let scrape = Scrape.get(own, "/metrics") else { return false }
            return try samples(scrape.body)[
                #"tenure_runs_total{kind="demo-sleep",outcome="completed"}"#]
                == 3
        }
        #expect(Scrape.get(own, "/healthz")?.status == 200)
        #expect(Scrape.get(own, "/readyz")?.body == "ready\n")
        #expect(Scrape.get(own, "/nonsense")?.status == 404)
        // Again where the verdict came before the handler began: it has taken no time then.
        try await eventually("a run is superseded, and a beat was sent") {
            try await supersede(fixture, own)
        }
        expectOfWorker(try samples(try #require(Scrape.get(own, "/metrics")).body))
        try await eventually("the coordinator is ready") {
            Scrape.get(other, "/readyz")?.status == 200
        }
        expectOfCoordinator(try samples(try #require(Scrape.get(other, "/metrics")).body))

        try OperatorDocuments().expect(
            try #require(Scrape.get(own, "/metrics")).body,
            try #require(Scrape.get(other, "/metrics")).body)

        try await expectTaken(own, tenure)
        worker.send(SIGTERM)
        coordinator.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        #expect(try await coordinator.result().code == 0)
    }

    private func expectTaken(_ port: UInt16, _ tenure: Command) async throws {
        let taken = try await tenure.run("coordinator", "--metrics-port", "\(port)")
        #expect(taken.code == 2)
        #expect(taken.errorLines.count == 1, "\(taken.errors)")
        #expect(taken.errors.contains("--metrics-port") && taken.errors.contains("\(port)"))
    }

    /// Whether a run that was superseded is counted, with its time.
    private func supersede(_ fixture: Fixture, _ port: UInt16) async throws -> Bool {
        func enqueue(seconds: Int) async throws {
            _ = try await fixture.tenure.run(
                "enqueue", "demo-sleep", "--payload", #"{"seconds":\#(seconds)}"#, "--key", "a")
        }
        try await enqueue(seconds: 600)
        try await fixture.eventually(
            "it runs",
            "SELECT count(*) = 1 FROM tenure.job WHERE key = 'a' AND state = 'running'")
        try await enqueue(seconds: 0)
        for _ in 0..<200 {
            let figures = try samples(Scrape.get(port, "/metrics")?.body ?? "")
            if (figures["tenure_cancel_seconds_count"] ?? 0) >= 1,
                (figures["tenure_beat_seconds_count"] ?? 0) >= 1,
                (figures[#"tenure_superseded_seconds_total{kind="demo-sleep"}"#] ?? 0) > 0
            {
                return true
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    private func enqueueSome(_ tenure: Command) async throws {
        for _ in 0..<3 {
            _ = try await tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#)
        }
        _ = try await tenure.run("enqueue", "demo-fail", "--max-attempts", "1")
        _ = try await tenure.run("enqueue", "demo-fail")
        _ = try await tenure.run("enqueue", "demo-fail", "--queue", "slow")
        _ = try await tenure.run("queue", "limit", "slow", "1")
    }

    private func expectOfWorker(_ figures: [String: Double]) {
        #expect((figures[#"tenure_run_seconds_count{kind="demo-sleep"}"#] ?? 0) >= 3)
        #expect((figures[#"tenure_claim_latency_seconds_count{queue="default"}"#] ?? 0) >= 4)
        #expect(figures[#"tenure_runs_total{kind="demo-fail",outcome="discarded"}"#] == 1)
        #expect(figures["tenure_late_results_total"] == 0)
        #expect(figures["tenure_stuck_runs"] == 0)
        #expect((figures["tenure_beat_seconds_count"] ?? 0) >= 1)
    }

    private func expectOfCoordinator(_ figures: [String: Double]) {
        #expect((figures[#"tenure_queue_oldest_due_seconds{queue="slow"}"#] ?? 0) > 0)
        #expect(figures[#"tenure_queue_due_jobs{queue="slow"}"#] == 1)
        #expect(figures[#"tenure_queue_due_jobs{queue="default"}"#] != nil)
        #expect(figures["tenure_database_up"] == 1)
        #expect(figures[#"tenure_sessions{role="worker",state="live"}"#] == 1)
    }

    @Test func `a worker that shuts down is well but not ready`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#)
        let port = Self.port + 2
        let worker = try fixture.tenure.start("worker", "--metrics-port", "\(port)")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        worker.send(SIGTERM)
        try await eventually("it is not ready") { Scrape.get(port, "/readyz")?.status == 503 }
        #expect(Scrape.get(port, "/readyz")?.body == "not ready: worker\n")
        #expect(Scrape.get(port, "/healthz")?.status == 200)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }
}
