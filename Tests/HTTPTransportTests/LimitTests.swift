import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct LimitTests {
        private let ok = "HTTP/1.1 200 OK\r\n"

        private func transport() throws -> CurlTransport { try .testing() }

        @Test func `no answer to connect in time`() async throws {
            let resolver = FakeResolver(silent: ["slow.test"])
            let transport = try CurlTransport.testing(resolver)
            await expect(.dnsTemporary) {
                try await transport.send(
                    .testing("http://slow.test/") { $0.connect = .milliseconds(80) })
            }
            let server = try TestServer { _ = $0.waitForClose() }
            await expect(.connectTimeout) {
                try await transport.send(
                    .testing("https://127.0.0.1:\(server.port)/") { $0.connect = .milliseconds(80) }
                )
            }
        }

        @Test func `no first byte in time`() async throws {
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 2")
                _ = peer.waitForClose()
            }
            let start = ContinuousClock.now
            await expect(.timeoutFirstByte) {
                try await transport().send(
                    .testing(server.url) { $0.firstByte = .milliseconds(100) })
            }
            let took = ContinuousClock.now - start
            #expect((.milliseconds(100)...(.milliseconds(400) * patience)).contains(took))
        }

        @Test func `a body that drips is stalled`() async throws {
            let server = try drip("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            let response = try await transport().send(.testing(server.url, Self.shortStall))
            await expect(.stalled) { try await response.body.collect(limit: 1000) }
        }

        @Test func `headers that drip are stalled`() async throws {
            let server = try drip("HTTP/1.1 200 OK\r\nX-Long: ")
            await expect(.stalled) {
                try await transport().send(.testing(server.url, Self.shortStall))
            }
        }

        @Test func `a stream that never ends is too late in the end`() async throws {
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\n\r\n")
                while peer.send("x") { nap(milliseconds: 5) }
            }
            let response = try await transport().send(
                .testing(server.url) {
                    $0.total = .milliseconds(300)
                    $0.stallBytesPerSecond = 1
                })
            await expect(.totalTimeout) { try await response.body.collect(limit: 1000) }
            #expect(response.timings.total != nil)
        }

        @Test func `headers are too large as a whole or each`() async throws {
            let line = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
            let many = String(repeating: line, count: 70)
            let server = try TestServer(answer: ok + many + "\r\n")
            await expect(.headersTooLarge) { try await transport().send(.testing(server.url)) }
            let long = "X-A: " + String(repeating: "a", count: 300_000) + "\r\n"
            let another = try TestServer(answer: ok + long + "\r\n")
            await expect(.headersTooLarge) { try await transport().send(.testing(another.url)) }
            let fitting = String(repeating: line, count: 60)
            let good = try TestServer(answer: ok + fitting + "Content-Length: 0\r\n\r\n")
            #expect(try await transport().send(.testing(good.url)).headers.fields.count == 61)
        }

        @Test func `a body that announces too much fails before it is read, its head doesn't`()
            async throws
        {
            let server = try TestServer(answer: ok + "Content-Length: 99999999999\r\n\r\n")
            let response = try await transport().send(.testing(server.url))
            #expect(response.headers["content-length"] == "99999999999")
            await expect(.bodyTooLarge) { try await response.body.collect(limit: 10) }
            let head = try await transport().send(.testing(server.url, method: .head))
            #expect(try await head.body.collect(limit: 0).isEmpty)
        }

        @Test func `a body that is larger than its limits ends there`() async throws {
            let body = [UInt8](repeating: 1, count: 100_000)
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body)
            }
            for change: (inout HTTPLimits) -> Void in [
                { $0.wireBytes = 99_999 }, { $0.decodedBytes = 99_999 },
            ] {
                await expect(.bodyTooLarge) {
                    try await transport().send(.testing(server.url, change)).body.collect(
                        limit: 200_000)
                }
            }
            let whole = try await transport().send(.testing(server.url) { $0.wireBytes = 100_000 })
            #expect(try await whole.body.collect(limit: 100_000).count == 100_000)
            let short = try await transport().send(.testing(server.url))
            await expect(.bodyTooLarge) { try await short.body.collect(limit: 99_999) }
        }

        private static func shortStall(_ limits: inout HTTPLimits) {
            limits.stall = .milliseconds(300)
            limits.stallBytesPerSecond = 1000
        }

        /// Fifty bytes a second after the first ones.
        private func drip(_ start: String) throws -> TestServer {
            try TestServer { peer in
                _ = peer.readRequest()
                peer.send(start)
                while peer.send("x") { nap(milliseconds: 20) }
            }
        }
    }
}
