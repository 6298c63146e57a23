import TenureSystem
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct FailureTests {
        @Test func `a closed port, a missing name, an unreachable host`() async throws {
            let (listener, port) = try TestServer.listen(1)
            close(listener)
            let transport = try CurlTransport.testing()
            let error = await failure {
                try await transport.send(.testing("http://127.0.0.1:\(port)/"))
            }
            #expect(error?.code == .connectRefused)
            #expect(error?.isTransient == true)
            await expect(.dnsNotFound) { try await transport.send(.testing("http://none.test/")) }
            await expect(.badURL) { try await transport.send(.testing("ftp://x/")) }
        }

        @Test func `a name of which one address is refused is refused`() async throws {
            let server = try TestServer(answer: "HTTP/1.1 204 No\r\n\r\n")
            let resolver = FakeResolver([
                "mixed.test": ["127.0.0.1", "10.0.0.1"], "good.test": ["127.0.0.1"],
            ])
            let transport = try CurlTransport.testing(resolver)
            let error = await failure {
                try await transport.send(.testing("http://mixed.test:\(server.port)/"))
            }
            #expect(error?.code == .refusedAddress)
            #expect(error?.detail == "mixed.test is 10.0.0.1 (private)")
            #expect(error?.isTransient == false)
            let good = try await transport.send(.testing("http://good.test:\(server.port)/"))
            #expect(good.status == 204)
            #expect(server.connections == 1)
        }

        @Test(arguments: ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "0.0.0.0"])
        func `by default an address that isn't public is refused`(_ host: String) async throws {
            let transport = try CurlTransport.testing()
            await expect(.refusedAddress) {
                try await transport.send(HTTPRequest(url: "http://\(host):1/"))
            }
        }

        @Test func `a kept connection doesn't serve a request that may not go there`() async throws
        {
            let server = try TestServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let transport = try CurlTransport.testing(TurningResolver())
            let url = "http://turning.test:\(server.port)/"
            var request = HTTPRequest(
                url: url, allowsAddresses: AddressPolicy(allowed: [try CIDR("127.0.0.1")]))
            let first = try await transport.send(request)
            _ = try await first.body.collect(limit: 2)
            // The name now leads to another address, where nobody listens; the connection is still
            // kept.
            request.allowsAddresses = AddressPolicy(allowed: [try CIDR("127.0.0.2")])
            await expect(.connectRefused) { try await transport.send(request) }
            #expect(server.connections == 1)
        }

        @Test(arguments: [
            ("", HTTPTransportError.Code.connectionClosed), ("HTTP/1.1 200", .connectionClosed),
            ("SSH-2.0-OpenSSH_9\r\n", .protocolError), ("<html>hello</html>", .protocolError),
        ])
        func `no response`(_ answer: String, _ code: HTTPTransportError.Code) async throws {
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send(answer)
            }
            let transport = try CurlTransport.testing()
            await expect(code) { try await transport.send(.testing(server.url)) }
        }

        @Test(arguments: [
            "Content-Length: 10\r\n\r\nshort", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
        ])
        func `a body that breaks off is truncated`(_ rest: String) async throws {
            let server = try TestServer { peer in
                _ = peer.readRequest()
                peer.send("HTTP/1.1 200 OK\r\n" + rest)
            }
            let transport = try CurlTransport.testing()
            let response = try await transport.send(.testing(server.url))
            await expect(.truncated) { try await response.body.collect(limit: 100) }
        }

        @Test func `a reset is a lost connection or a truncated body`() async throws {
            for (start, code) in [
                ("", HTTPTransportError.Code.connectionClosed),
                ("HTTP/1.1 200 OK\r\n\r\nx", .truncated),
            ] {
                let server = try TestServer { peer in
                    _ = peer.readRequest()
                    peer.send(start)
                    nap(milliseconds: 30)
                    peer.reset()
                }
                let transport = try CurlTransport.testing()
                await expect(code) {
                    try await transport.send(.testing(server.url)).body.collect(limit: 100)
                }
            }
        }

        @Test func `headers that would break out or change the framing aren't sent`() async throws {
            let transport = try CurlTransport.testing()
            for headers: HTTPHeaders in [
                ["X": "a\r\nY: b"], ["X\n": "a"], ["": "a"], ["a b": "c"], ["host": "evil"],
                ["Content-Length": "5"], ["accept-encoding": "gzip"],
            ] {
                await expect(.badRequest) {
                    try await transport.send(.testing("http://127.0.0.1:1/", headers: headers))
                }
            }
            await expect(.badRequest) { try CurlTransport.testing { $0.userAgent = "a\r\nb" } }
            await expect(.badRequest) { try CurlTransport.testing { $0.caFile = "/nowhere" } }
        }
    }
}

/// Answers with one loopback address first, and with another ever after.
private final class TurningResolver: HostResolver {
    private let count = Lock(0)

    private struct Done: HostLookup {
        func cancel() {}
    }

    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        completion(.success([isFirst ? .v4(0x7F00_0001) : .v4(0x7F00_0002)]))
        return Done()
    }

    func close() {}
}
