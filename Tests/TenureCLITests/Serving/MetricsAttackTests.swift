import Foundation
import Tenure
import TenureSystem
import Testing

/// Whoever reaches the metrics port can neither end the worker nor hold it up.
@Suite struct MetricsAttackTests {
    /// For the test's own two thousand sockets.
    init() { System.raiseDescriptors(most: .max) }

    /// A worker that may have 256 files open and is ready.
    private func worker(_ fixture: Fixture) async throws -> (RunningCommand, port: Int) {
        let port = Int.random(in: 20_000...29_000)
        let worker = try fixture.tenure.with("TEST_DESCRIPTORS", "256").start(
            "worker", "--metrics-port", "\(port)", "--lease", "10s")
        try await eventually("it is ready") { Scrape.get(UInt16(port), "/readyz")?.status == 200 }
        return (worker, port)
    }

    /// Several looks: one may meet a machine that stands still.
    private func expectReadiness(_ port: Int, _ what: Comment) {
        let looks = (0..<5).map { _ in RawClient.ask(port, "/readyz") }
        #expect(looks.map(\.line) == Array(repeating: "HTTP/1.1 200 OK", count: 5), what)
        #expect(looks.map(\.took).sorted()[2] < .seconds(1), what)
    }

    private func expectWork(_ fixture: Fixture) async throws {
        let before = try await fixture.value(
            "SELECT count(*) FROM tenure.job_history", as: Int64.self)
        for _ in 0..<3 {
            _ = try await fixture.tenure.run(
                "enqueue", "demo-sleep", "--payload", #"{"seconds":0}"#)
        }
        try await fixture.eventually(
            "jobs end", "SELECT count(*) = \(before + 3) FROM tenure.job_history")
    }

    /// With all of them still connected.
    private func expectEnd(of worker: RunningCommand) async throws {
        worker.send(SIGTERM)
        let result = try await worker.result()
        #expect(result.code == 0, "\(result.errors)")
        #expect(!result.errors.contains("metrics server"), "\(result.errors)")
    }

    @Test func `two thousand idle connections`() async throws {
        let fixture = try await Fixture()
        let (worker, port) = try await worker(fixture)
        let clients = (0..<2_000).compactMap { _ in RawClient(port) }
        #expect(clients.count > 500)
        expectReadiness(port, "two thousand")
        try await expectWork(fixture)
        // Until they say something they cost nothing; then there is room for a few.
        for client in clients { client.send("G") }
        expectReadiness(port, "after their first bytes")
        #expect(clients.count { !$0.isOver } <= 64)
        try await expectEnd(of: worker)
    }

    @Test func `headers of a mebibyte`() async throws {
        let fixture = try await Fixture()
        let (worker, port) = try await worker(fixture)
        let long = String(repeating: "a", count: 1 << 20)
        let clients = try (0..<20).map { _ in try #require(RawClient(port)) }
        for client in clients {
            Thread.detachNewThread {
                client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n")
            }
        }
        expectReadiness(port, "long headers")
        try await expectWork(fixture)
        let many = String(repeating: "A: b\r\n", count: 100_000)
        RawClient(port)?.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n")
        expectReadiness(port, "many headers")
        try await expectEnd(of: worker)
    }

    @Test func `clients that trickle, and clients that hang up by half`() async throws {
        let fixture = try await Fixture()
        let (worker, port) = try await worker(fixture)
        let clients = try (0..<60).map { _ in try #require(RawClient(port)) }
        for client in clients[..<20] {
            client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n")
            client.finish()
        }
        for client in clients[20..<40] {
            client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.finish()
        }
        for _ in 0..<10 {
            for client in clients[40...] { client.send("G") }
            expectReadiness(port, "trickling")
        }
        try await expectWork(fixture)
        try await expectEnd(of: worker)
    }
}
