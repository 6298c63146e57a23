import Foundation
import Tenure
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct MetricsTests {
    private static let port = UInt16.random(in: 20_000...29_000)

    /// A request over a plain socket; nil when nobody listens.
    private func get(_ port: UInt16, _ path: String) -> (status: Int, body: String)? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
        let request = Array(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        _ = send(socket, request, request.count, 0)
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &bytes, bytes.count, 0)
            if count <= 0 { break }
            all += bytes[..<count]
        }
        let text = String(decoding: all, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return status.map { ($0, parts.count > 1 ? parts[1] : "") }
    }

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
        for _ in 0..<3 {
            _ = try await tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#)
        }
        _ = try await tenure.run("enqueue", "demo-fail", "--max-attempts", "1")
        _ = try await tenure.run("enqueue", "demo-fail")
        _ = try await tenure.run("enqueue", "demo-fail", "--queue", "slow")
        _ = try await tenure.run("queue", "limit", "slow", "1")
        let (own, other) = (Self.port, Self.port + 1)
        let worker = try tenure.start("worker", "--metrics-port", "\(own)", "--lease", "3s")
        let coordinator = try tenure.start(
            "coordinator", "--metrics-port", "\(other)", "--lease", "3s")
        try await eventually("the jobs are done") {
            guard let scrape = get(own, "/metrics") else { return false }
            return try samples(scrape.body)[
                #"tenure_runs_total{kind="demo-sleep",outcome="completed"}"#]
                == 3
        }
        #expect(get(own, "/healthz")?.status == 200)
        #expect(get(own, "/readyz")?.body == "ready\n")
        #expect(get(own, "/nonsense")?.status == 404)
        _ = try await tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#, "--key", "a")
        try await fixture.eventually(
            "one runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        _ = try await tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#, "--key", "a")
        try await eventually("it is superseded") {
            let scrape = try samples(get(own, "/metrics")?.body ?? "")
            return scrape["tenure_cancel_seconds_count"] == 1
                && (scrape[#"tenure_superseded_seconds_total{kind="demo-sleep"}"#] ?? 0) > 0
        }
        let ours = try samples(try #require(get(own, "/metrics")).body)
        #expect((ours[#"tenure_run_seconds_count{kind="demo-sleep"}"#] ?? 0) >= 3)
        #expect((ours[#"tenure_claim_latency_seconds_count{queue="default"}"#] ?? 0) >= 4)
        #expect(ours[#"tenure_runs_total{kind="demo-fail",outcome="discarded"}"#] == 1)
        #expect(ours["tenure_late_results_total"] == 0)
        #expect(ours["tenure_stuck_runs"] == 0)
        #expect((ours["tenure_beat_seconds_count"] ?? 0) >= 1)
        try await eventually("the coordinator is ready") {
            get(other, "/readyz")?.status == 200
        }
        let theirs = try samples(try #require(get(other, "/metrics")).body)
        #expect((theirs[#"tenure_queue_oldest_due_seconds{queue="slow"}"#] ?? 0) > 0)
        #expect(theirs["tenure_database_up"] == 1)
        #expect(theirs[#"tenure_sessions{role="worker",state="live"}"#] == 1)

        try OperatorDocuments().expect(
            try #require(get(own, "/metrics")).body, try #require(get(other, "/metrics")).body)

        let taken = try await tenure.run("coordinator", "--metrics-port", "\(own)")
        #expect(taken.code == 2)
        #expect(taken.errorLines.count == 1, "\(taken.errors)")
        #expect(taken.errors.contains("--metrics-port") && taken.errors.contains("\(own)"))
        worker.send(SIGTERM)
        coordinator.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        #expect(try await coordinator.result().code == 0)
    }

    @Test func `a worker that shuts down is well but not ready`() async throws {
        let fixture = try await Fixture()
        _ = try await fixture.tenure.run("enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#)
        let port = Self.port + 2
        let worker = try fixture.tenure.start("worker", "--metrics-port", "\(port)")
        try await fixture.eventually(
            "the job runs", "SELECT bool_or(state = 'running') FROM tenure.job")
        worker.send(SIGTERM)
        try await eventually("it is not ready") { get(port, "/readyz")?.status == 503 }
        #expect(get(port, "/readyz")?.body == "not ready: worker\n")
        #expect(get(port, "/healthz")?.status == 200)
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }
}
