import TestSupport
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct BackPressureTests {
        @Test func `a reader that lags stops the sender, and loses nothing`() async throws {
            let total = 24 << 20
            let sent = Lock(0)
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
                let block = (0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0) }
                for _ in 0..<(total / block.count) where peer.send(block) {
                    sent.withLock { $0 += block.count }
                }
            }
            let transport = try CurlTransport.testing { $0.bodyBufferBytes = 64 << 10 }
            let response = try await transport.send(
                .testing(server.url) { $0.stall = .milliseconds(200) * patience })
            try await Task.sleep(for: .milliseconds(500) * patience)
            #expect(response.body.progress.wireBytes < 256 << 10)
            #expect(sent.withLock { $0 } < 12 << 20)  // what both sockets' buffers hold
            var count = 0
            for try await chunk in response.body {
                #expect(chunk.first == UInt8(truncatingIfNeeded: count))
                count += chunk.count
            }
            #expect(count == total)
        }

        @Test func `a slow reader doesn't hold up the others`() async throws {
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                peer.send([UInt8](repeating: 7, count: 1_000_000))
            }
            let transport = try CurlTransport.testing { $0.bodyBufferBytes = 16 << 10 }
            let slow = try await transport.send(.testing(server.url))
            for _ in 0..<10 {
                let response = try await transport.send(.testing(server.url))
                #expect(try await response.body.collect(limit: 1_000_000).count == 1_000_000)
            }
            #expect(try await slow.body.collect(limit: 1_000_000).count == 1_000_000)
        }

        @Test func `many transfers at once each get their own answer`() async throws {
            let server = try TestServer { peer in
                while let request = peer.readRequest() {
                    let path = request.split(separator: " ")[1]
                    peer.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
                }
            }
            let transport = try CurlTransport.testing()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<64 {
                    group.addTask {
                        for index in 0..<20 {
                            let path = "/\(worker)/\(index)"
                            let response = try await transport.send(.testing(server.url + path))
                            let body = try await response.body.collect(limit: 100)
                            #expect(String(decoding: body, as: UTF8.self) == path)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connections <= 64 * 2)
        }
    }
}
