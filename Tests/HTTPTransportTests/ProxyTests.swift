import TenureSystem
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct ProxyTests {
        private let resolver = FakeResolver([
            "good.test": ["127.0.0.1"], "proxy.test": ["127.0.0.1"], "inner.test": ["10.0.0.7"],
        ])

        private func transport(
            _ proxy: ProxyServer, _ naming: HTTPProxy.Naming = .here,
            _ change: (inout CurlConfiguration) -> Void = { _ in }
        ) throws -> CurlTransport {
            try .testing(resolver) {
                $0.proxy = HTTPProxy(proxy.url, user: "me", password: "s3cret", naming: naming)
                change(&$0)
            }
        }

        private func asked(_ proxy: ProxyServer) -> [String] {
            proxy.requests.withLock { requests in
                requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
            }
        }

        private let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

        @Test func `a proxy is asked for a tunnel to the vetted address, not to the name`()
            async throws
        {
            let seen = Lock("")
            let server = try TestServer { [answer] peer in
                seen.withLock { $0 = peer.readRequest() ?? "" }
                peer.send(answer)
            }
            let proxy = try ProxyServer()
            let transport = try transport(proxy)
            let response = try await transport.send(
                .testing(
                    "http://good.test:\(server.port)/a", headers: ["Authorization": "Bearer t"]))
            #expect(try await response.body.collect(limit: 5) == Array("hello".utf8))
            #expect(response.remoteAddress == IPAddress("127.0.0.1"))
            #expect(response.headers["X-Proxy"] == nil)
            #expect(asked(proxy) == ["CONNECT 127.0.0.1:\(server.port)"])
            let connect = proxy.requests.withLock { $0.first ?? "" }
            #expect(connect.contains("Proxy-Authorization: Basic bWU6czNjcmV0"))
            #expect(!connect.contains("Bearer"))
            let request = seen.withLock { $0 }
            #expect(request.contains("Host: good.test:\(server.port)\r\n"))
            #expect(request.contains("Bearer t") && !request.contains("Proxy-"))
        }

        @Test func `https goes through a tunnel, and is verified for the name`() async throws {
            let certificates = try Certificates()
            let server = try TLSServer(certificates, "good")
            let expired = try TLSServer(certificates, "expired")
            let proxy = try ProxyServer()
            let transport = try transport(proxy) { $0.caFile = certificates.path("trusted.pem") }
            let response = try await transport.send(
                .testing("https://good.test:\(server.port)/"))
            #expect(response.status == 200)
            let error = await failure {
                try await transport.send(.testing("https://good.test:\(expired.port)/"))
            }
            #expect(error?.tlsReason == .expired)
            let wrong = await failure {
                try await transport.send(.testing("https://proxy.test:\(server.port)/"))
            }
            #expect(wrong?.tlsReason == .wrongHost)
            #expect(asked(proxy).allSatisfy { $0.hasPrefix("CONNECT 127.0.0.1:") })
        }

        @Test func `addresses are refused before the proxy hears of them`() async throws {
            let trap = try Trap()
            let proxy = try ProxyServer()
            let transport = try transport(proxy)
            for host in ["inner.test", "10.0.0.1", "127.1", "[::1]", "0x7f000001"] {
                for scheme in ["http", "https"] {
                    let request = HTTPRequest(url: "\(scheme)://\(host):\(trap.port)/")
                    await expect(.refusedAddress) { try await transport.send(request) }
                }
            }
            #expect(proxy.connections == 0)
            #expect(trap.caught() == 0)
        }

        @Test func `where the proxy resolves, names go there and addresses are still vetted`()
            async throws
        {
            let certificates = try Certificates()
            let server = try TLSServer(certificates, "good")
            let proxy = try ProxyServer(forward: ["good.test:4430": server.port])
            let transport = try transport(proxy, .atProxy) {
                $0.caFile = certificates.path("trusted.pem")
            }
            let secure = try await transport.send(HTTPRequest(url: "https://good.test:4430/"))
            #expect(secure.status == 200)
            #expect(secure.remoteAddress == nil)
            let plain = try await transport.send(HTTPRequest(url: "http://unknown.test/p"))
            #expect(try await plain.body.collect(limit: 9) == Array("forwarded".utf8))
            #expect(
                asked(proxy) == ["CONNECT good.test:4430", "GET http://unknown.test/p"])
            await expect(.refusedAddress) {
                try await transport.send(HTTPRequest(url: "http://127.1/"))
            }
            #expect(resolver.asked.withLock { $0 }.isEmpty)
        }

        @Test func `a kept tunnel serves its own host and no other`() async throws {
            let servers = try (0..<2).map { index in
                try TestServer(
                    answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", body: [UInt8(index)])
            }
            let proxy = try ProxyServer()
            let transport = try transport(proxy)
            for _ in 0..<3 {
                for (index, server) in servers.enumerated() {
                    let response = try await transport.send(
                        .testing("http://good.test:\(server.port)/"))
                    #expect(try await response.body.collect(limit: 1) == [UInt8(index)])
                }
            }
            #expect(asked(proxy).count == 2)
        }

        @Test(arguments: [
            ("403 No", HTTPTransportError.Code.proxyFailed), ("407 Who", .proxyFailed),
            ("502 Bad", .connectFailed), ("503 Busy", .connectFailed),
            ("504 Late", .connectTimeout),
        ])
        func `a proxy that refuses says whose fault it is`(
            _ status: String, _ code: HTTPTransportError.Code
        ) async throws {
            let proxy = try ProxyServer { _ in
                "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
            }
            let transport = try transport(proxy)
            for scheme in ["http", "https"] {
                let error = await failure {
                    try await transport.send(.testing("\(scheme)://good.test/"))
                }
                #expect(error?.code == code, "\(error.debugDescription)")
                #expect(error?.isTransient == true)
            }
        }

        @Test func `a proxy that isn't there, or has no name, is the proxy's fault`() async throws {
            let (listener, port) = try TestServer.listen(1)
            close(listener)
            for host in ["127.0.0.1", "proxy.test", "none.test"] {
                let transport = try CurlTransport.testing(resolver) {
                    $0.proxy = HTTPProxy("http://\(host):\(port)")
                }
                await expect(.proxyFailed) {
                    try await transport.send(.testing("http://good.test/"))
                }
            }
            let silent = try TestServer { _ = $0.waitForClose() }
            let transport = try CurlTransport.testing(resolver) { $0.proxy = HTTPProxy(silent.url) }
            await expect(.connectTimeout) {
                try await transport.send(
                    .testing("http://good.test/") { $0.connect = .milliseconds(80) })
            }
        }

        @Test func `the proxy's password is shown nowhere, and its URL must be one`() async throws {
            let proxy = HTTPProxy("http://proxy.test:1", user: "me", password: "s3cret")
            var configuration = CurlConfiguration(userAgent: "a")
            configuration.proxy = proxy
            for shown in ["\(proxy)", String(reflecting: proxy), "\(configuration)"] {
                #expect(!shown.contains("s3cret"), "\(shown)")
            }
            var dumped = ""
            dump(configuration, to: &dumped)
            #expect(!dumped.contains("s3cret"))
            for url in ["socks5://a:1", "http://me:pw@proxy.test:1", "", "proxy:3128"] {
                await expect(.badRequest) {
                    try CurlTransport.testing { $0.proxy = HTTPProxy(url) }
                }
            }
        }
    }
}
