import Foundation
import Hummingbird
import Synchronization
import Testing

@testable import TenureCLI

/// The server's bounds, each at its edge.
@Suite struct WebServerTests {
    private static let get = "GET / HTTP/1.1\r\nHost: localhost\r\n"

    /// Serves while `body` runs, which is given the port.
    private func serve(
        _ limits: ServingLimits, names: HostRule = .any,
        _ respond: @escaping @Sendable (Request) async throws -> Response = { _ in
            .text(.ok, "here\n")
        },
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let server = WebServer(
            host: "127.0.0.1", port: 0, limits: limits, names: names, respond: respond)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await server.run { listening.yield($0) }
                } catch is CancellationError {}
            }
            for await port in ports {
                try await body(port)
                break
            }
            group.cancelAll()
        }
    }

    /// Counts looks, not seconds: while tests beside this one start processes, all of this one, its
    /// server too, may stand still for longer than the limit.
    private func over(_ client: RawClient, within time: Duration) async throws -> Duration {
        let start = ContinuousClock.now
        let pause = Duration.milliseconds(20)
        var looks = 0
        while !client.isOver {
            looks += 1
            try #require(pause * looks < time, "it is still open")
            try await Task.sleep(for: pause)
        }
        return ContinuousClock.now - start
    }

    @Test func `a request has to arrive in time, however busily it trickles`() async throws {
        var limits = ServingLimits()
        limits.request = .seconds(1)
        try await serve(limits) { port in
            let slow = try #require(RawClient(port))
            slow.send(Self.get)
            let trickle = Task {
                while !slow.isOver {
                    slow.send("X")
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            let silent = try #require(RawClient(port))
            silent.send("G")
            let body = try #require(RawClient(port))
            body.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nX")
            #expect(try await over(slow, within: .seconds(20)) > .milliseconds(700))
            _ = try await over(silent, within: .seconds(20))
            _ = try await over(body, within: .seconds(20))
            try await trickle.value
        }
    }

    @Test func `a connection that is kept may ask again, until it is silent for too long`()
        async throws
    {
        var limits = ServingLimits()
        // Four pauses are longer than the limit, and each leaves a busy machine its slack.
        limits.request = .seconds(5)
        try await serve(limits) { port in
            let client = try #require(RawClient(port))
            for _ in 0..<4 {
                client.send(Self.get + "\r\n")
                try await Task.sleep(for: .milliseconds(1500))
                try #require(!client.isOver)
            }
            _ = try await over(client, within: .seconds(20))
        }
    }

    @Test func `an answer that takes too long ends its connection`() async throws {
        var limits = ServingLimits()
        limits.answer = .seconds(1)
        try await serve(limits) { _ in
            try await Task.sleep(for: .seconds(600))
            return .text(.ok, "late\n")
        } _: { port in
            let client = try #require(RawClient(port))
            client.send(Self.get + "\r\n")
            #expect(try await over(client, within: .seconds(20)) > .milliseconds(700))
        }
    }

    @Test func `the newest comes in, and the one that has been idle the longest goes`()
        async throws
    {
        var limits = ServingLimits()
        limits.connections = 4
        try await serve(limits) { request in
            if request.uri.path == "/slow" { try await Task.sleep(for: .seconds(600)) }
            return .text(.ok, "here\n")
        } _: { port in
            let busy = try #require(RawClient(port))
            busy.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await Task.sleep(for: .milliseconds(200))
            let idle = try (0..<6).map { _ in try #require(RawClient(port)) }
            for client in idle {
                client.send("G")
                try await Task.sleep(for: .milliseconds(50))
            }
            for client in idle[..<3] { _ = try await over(client, within: .seconds(20)) }
            #expect(!busy.isOver)
            for client in idle[3...] { #expect(!client.isOver) }
            #expect(RawClient.ask(port, "/").line == "HTTP/1.1 200 OK")
        }
    }

    @Test func `when all are busy, the newest comes in all the same`() async throws {
        var limits = ServingLimits()
        limits.connections = 4
        try await serve(limits) { request in
            if request.uri.path == "/slow" { try await Task.sleep(for: .seconds(600)) }
            return .text(.ok, "here\n")
        } _: { port in
            let busy = try (0..<4).map { _ in try #require(RawClient(port)) }
            for client in busy { client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            try await Task.sleep(for: .milliseconds(200))
            #expect(RawClient.ask(port, "/").line == "HTTP/1.1 200 OK")
            #expect(busy.count { $0.isOver } == 1)
        }
    }

    @Test func `a head or a body beyond its bound is refused`() async throws {
        var limits = ServingLimits()
        (limits.bodyBytes, limits.farewellBytes) = (65_536, 1 << 20)
        try await serve(limits) { port in
            let fits = try #require(RawClient(port))
            let wide = String(repeating: "a", count: 8_000)
            fits.send(Self.get + "X: \(wide)\r\nConnection: close\r\n\r\n")
            #expect(fits.receive().hasPrefix("HTTP/1.1 200 "))
            let long = try #require(RawClient(port))
            long.send(Self.get + "X: \(wide)\(wide)\(wide)\r\n\r\n")
            #expect(long.receive().hasPrefix("HTTP/1.1 400 "))
            let many = try #require(RawClient(port))
            many.send(Self.get + String(repeating: "A: b\r\n", count: 200) + "\r\n")
            #expect(many.receive().hasPrefix("HTTP/1.1 400 "))
            let wordy = try #require(RawClient(port))
            wordy.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
            wordy.send(String(repeating: "a", count: 100_000))
            #expect(wordy.receive().hasPrefix("HTTP/1.1 413 "))
            let endless = try #require(RawClient(port))
            endless.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n")
            let piece = String(repeating: "a", count: 65_536)
            #expect((0..<2000).contains { _ in !endless.send(piece) })
            let fat = try #require(RawClient(port))
            fat.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
            fat.send(String(repeating: "a", count: 1_000_000))
            _ = try await over(fat, within: .seconds(5))
        }
    }

    /// It would hold them open for as long as it runs, and the port with them.
    @Test func `a program that is started beside it gets none of its connections`() async throws {
        var limits = ServingLimits()
        limits.request = .seconds(1)
        try await serve(limits) { port in
            let client = try #require(RawClient(port))
            client.send("G")
            try await Task.sleep(for: .milliseconds(500))
            var id = pid_t()
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
            defer { for word in words { free(word) } }
            try #require(posix_spawn(&id, "/bin/sleep", nil, nil, &words, nil) == 0)
            defer {
                kill(id, SIGKILL)
                waitpid(id, nil, 0)
            }
            _ = try await over(client, within: .seconds(20))
        }
    }

    @Test func `half a client gets its answer`() async throws {
        try await serve(ServingLimits()) { port in
            let client = try #require(RawClient(port))
            client.send(Self.get + "\r\n")
            client.finish()
            #expect(client.receive().hasSuffix("here\n"))
        }
    }

    @Test func `HEAD has the headers of GET and no body`() async throws {
        try await serve(ServingLimits()) { port in
            let client = try #require(RawClient(port))
            client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = client.receive().lowercased()
            #expect(answer.contains("content-length: 5\r\n") && answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `it answers while handlers hold all threads of the pool`() async {
        await #expect(processExitsWith: .success) {
            let server = WebServer(
                host: "127.0.0.1", port: 0, limits: ServingLimits(), names: .any
            ) { _ in .text(.ok, "here\n") }
            let (ports, listening) = AsyncStream.makeStream(of: Int.self)
            let serving = Task { try await server.run { listening.yield($0) } }
            for await port in ports {
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: 0.5)
                    let answer = RawClient.ask(port, "/")
                    exit(answer.line == "HTTP/1.1 200 OK" && answer.took < .seconds(5) ? 0 : 1)
                }
                break
            }
            for _ in 0..<256 { Task { block() } }
            try await serving.value
        }
    }
}

/// Holds a thread, as handlers do that call what isn't made for tasks.
private func block() { Thread.sleep(forTimeInterval: 10) }
