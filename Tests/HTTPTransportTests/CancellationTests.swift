import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    /// Each phase is left within 100 ms, measured where the other side sees it.
    @Suite struct CancellationTests {
        /// Reports when a phase is reached and when the connection was closed.
        private struct Witness: Sendable {
            let reached = AsyncStream.makeStream(of: Void.self)
            let closed = AsyncStream.makeStream(of: ContinuousClock.Instant.self)

            func waitUntilReached() async {
                for await _ in reached.stream { return }
            }

            func closeTime() async throws -> ContinuousClock.Instant {
                for await time in closed.stream { return time }
                throw CancellationError()
            }

            func watch(_ peer: Peer) {
                reached.continuation.yield()
                closed.continuation.yield(peer.waitForClose())
            }
        }

        private func server(
            _ witness: Witness, _ prepare: @escaping @Sendable (Peer) -> Void
        ) throws -> TestServer {
            try TestServer { peer in
                prepare(peer)
                witness.watch(peer)
            }
        }

        /// The median of five rounds: in one of them the machine may be busy with something else.
        private func median(_ round: () async throws -> Duration) async throws -> Duration {
            var latencies: [Duration] = []
            for _ in 0..<5 { latencies.append(try await round()) }
            return latencies.sorted()[2]
        }

        /// Cancels `work` once the witness says so; returns how long the peer waited for the close.
        private func latency(
            _ witness: Witness, _ work: @escaping @Sendable () async throws -> Void
        ) async throws -> Duration {
            try await median {
                let task = Task { try await work() }
                await witness.waitUntilReached()
                try await Task.sleep(for: .milliseconds(20))
                let start = ContinuousClock.now
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                return try await witness.closeTime() - start
            }
        }

        @Test func `during name resolution, which goes on without its caller`() async throws {
            let resolver = FakeResolver(silent: ["slow.test"])
            let transport = try CurlTransport.testing(resolver)
            let latency = try await median {
                let asked = resolver.asked.withLock { $0.count }
                let task = Task { _ = try await transport.send(.testing("http://slow.test/")) }
                while resolver.asked.withLock({ $0.count == asked }) {
                    try await Task.sleep(for: .milliseconds(1))
                }
                let start = ContinuousClock.now
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                return ContinuousClock.now - start
            }
            #expect(latency < .milliseconds(100) * patience)
            await transport.shutdown()
            #expect(resolver.cancelled.withLock { $0.count } == 5)
        }

        @Test func `during connect`() async throws {
            let full = try FullListener()
            let transport = try CurlTransport.testing()
            let url = "http://127.0.0.1:\(full.port)/"
            let latency = try await median {
                let task = Task { _ = try await transport.send(.testing(url)) }
                try await full.waitForPendingConnects(1)
                let start = ContinuousClock.now
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                try await full.waitForPendingConnects(0)
                return ContinuousClock.now - start
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `during the TLS handshake`() async throws {
            let witness = Witness()
            let server = try server(witness) { _ in }
            let transport = try CurlTransport.testing()
            let latency = try await latency(witness) {
                _ = try await transport.send(.testing("https://127.0.0.1:\(server.port)/"))
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `while waiting for the first byte`() async throws {
            let witness = Witness()
            let server = try server(witness) { _ = $0.readRequest() }
            let transport = try CurlTransport.testing()
            let latency = try await latency(witness) {
                _ = try await transport.send(.testing(server.url))
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `while a body comes`() async throws {
            let witness = Witness()
            let server = try server(witness) { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
            }
            let transport = try CurlTransport.testing()
            let latency = try await latency(witness) {
                let response = try await transport.send(.testing(server.url))
                _ = try await response.body.collect(limit: 1000)
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `while a proxy is asked for a tunnel`() async throws {
            let witness = Witness()
            let proxy = try server(witness) { _ = $0.readRequest() }
            let transport = try CurlTransport.testing { $0.proxy = HTTPProxy(proxy.url) }
            let latency = try await latency(witness) {
                _ = try await transport.send(.testing("https://127.0.0.1:1/"))
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        /// Through a proxy, which sees the close where nginx wouldn't tell.
        @Test(.enabled(if: NginxServer.isInstalled))
        func `while a body comes over HTTP 2`() async throws {
            let certificates = try Certificates()
            let server = try NginxServer(certificates)
            let big = certificates.folder.appendingPathComponent("big")
            try Data(repeating: 5, count: 24 << 20).write(to: big)
            let proxy = try ProxyServer()
            let resolver = FakeResolver(["good.test": ["127.0.0.1"]])
            let transport = try CurlTransport.testing(resolver) {
                $0.caFile = certificates.path("trusted.pem")
                $0.proxy = HTTPProxy(proxy.url)
            }
            try await server.waitUntilListening()
            let url = "https://good.test:\(server.port)/big"
            let latency = try await median {
                let begun = AsyncStream.makeStream(of: HTTPVersion.self)
                let task = Task {
                    defer { begun.continuation.finish() }
                    let response = try await transport.send(.testing(url))
                    for try await _ in response.body {
                        begun.continuation.yield(response.httpVersion)
                        try await Task.sleep(for: .milliseconds(5))
                    }
                }
                var versions = begun.stream.makeAsyncIterator()
                try #require(await versions.next() == .http2)
                let start = ContinuousClock.now
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                for await time in proxy.closed.stream { return time - start }
                throw CancellationError()
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `while a body is decoded that comes to nothing`() async throws {
            let witness = Witness()
            let busy = try Bombs.busy()
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\n\r\n"
            let server = try server(witness) { peer in
                _ = peer.readRequest()
                peer.send(Array(head.utf8) + busy)
            }
            let other = try TestServer(answer: "HTTP/1.1 204 No\r\n\r\n")
            let transport = try CurlTransport.testing()
            let request = try HTTPRequest.testing(server.url) {
                ($0.decodedBytes, $0.ratio) = (.max, .max)
            }
            let latency = try await latency(witness) {
                let response = try await transport.send(request)
                async let read = response.body.collect(limit: .max)
                let start = ContinuousClock.now
                _ = try await transport.send(.testing(other.url))
                #expect(ContinuousClock.now - start < .milliseconds(100) * patience)
                _ = try await read
            }
            #expect(latency < .milliseconds(100) * patience)
        }

        @Test func `two hundred at once, each in its own phase`() async throws {
            let closed = Lock(0)
            let server = try TestServer { peer in
                let path = peer.readRequest()?.split(separator: " ").dropFirst().first ?? ""
                if path.hasSuffix("1") { peer.send("HTTP/1.1 200 OK\r\n") }
                if path.hasSuffix("2") { peer.send("HTTP/1.1 200 OK\r\n\r\nsome") }
                _ = peer.waitForClose()
                closed.withLock { $0 += 1 }
            }
            let transport = try CurlTransport.testing()
            let task = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<200 {
                        let scheme = index % 4 == 3 ? "https" : "http"
                        let url = "\(scheme)://127.0.0.1:\(server.port)/\(index % 4)"
                        group.addTask {
                            let response = try await transport.send(.testing(url))
                            _ = try await response.body.collect(limit: 1000)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            while server.connections < 200 { try await Task.sleep(for: .milliseconds(2)) }
            try await Task.sleep(for: .milliseconds(50))
            #expect(closed.withLock { $0 } == 0)
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            while closed.withLock({ $0 < 200 }) { try await Task.sleep(for: .milliseconds(1)) }
            #expect(ContinuousClock.now - start < .milliseconds(200) * patience)
        }

        @Test func `a task that is cancelled already opens no connection`() async throws {
            let server = try TestServer(answer: "HTTP/1.1 204 No\r\n\r\n")
            let transport = try CurlTransport.testing()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                _ = try await transport.send(.testing(server.url))
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await transport.shutdown()
            #expect(server.connections == 0)
        }

        @Test func `dropping an unread body closes its connection`() async throws {
            let witness = Witness()
            let server = try server(witness) { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
            }
            let transport = try CurlTransport.testing()
            _ = try await transport.send(.testing(server.url))
            let start = ContinuousClock.now
            #expect(try await witness.closeTime() - start < .milliseconds(100) * patience)
        }

        @Test func `shutting down fails what is under way and closes it`() async throws {
            let witness = Witness()
            let server = try server(witness) { _ = $0.readRequest() }
            let transport = try CurlTransport.testing()
            let task = Task { try await transport.send(.testing(server.url)).status }
            await witness.waitUntilReached()
            let start = ContinuousClock.now
            await transport.shutdown()
            await expect(.closed) { try await task.value }
            #expect(try await witness.closeTime() - start < .milliseconds(100) * patience)
            await expect(.closed) { try await transport.send(.testing(server.url)) }
            await transport.shutdown()
        }
    }
}
