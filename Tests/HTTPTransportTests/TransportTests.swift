import TenureSystem
import Testing

@testable import HTTPTransport

extension SocketTests {
    @Suite struct TransportTests {
        @Test func `a response has status, headers, body, address and timings`() async throws {
            let server = try TestServer(
                answer:
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n"
                    + "X-Fold: one\r\n two\r\nContent-Length: 5\r\n\r\nhello")
            let transport = try CurlTransport.testing()
            let response = try await transport.send(.testing(server.url + "/x#frag"))
            #expect(response.status == 200)
            #expect(response.headers.values(of: "SET-COOKIE") == ["a=1", "b=2"])
            #expect(response.headers["x-fold"] == "one two")
            #expect(response.url == server.url + "/x")
            #expect(response.remoteAddress == IPAddress("127.0.0.1"))
            #expect(response.httpVersion == .http11)
            #expect(try await response.body.collect(limit: 10) == Array("hello".utf8))
            #expect(response.timings.connect > .zero)
            #expect(response.timings.firstByte > .zero)
            #expect(try #require(response.timings.total) > response.timings.connect)
            #expect(response.body.progress.wireBytes == 5)
        }

        @Test func `the request names its agent, its encodings and nothing it wasn't told`()
            async throws
        {
            let seen = Lock("")
            let server = try TestServer { peer in
                let request = peer.readRequest() ?? ""
                seen.withLock { $0 = request }
                peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let transport = try CurlTransport.testing()
            let headers: HTTPHeaders = ["If-None-Match": "\"x\"", "X-Empty": ""]
            let response = try await transport.send(
                .testing(server.url + "/a/../b?q=%20", method: .head, headers: headers))
            #expect(response.status == 204)
            let lines = seen.withLock { $0 }.split(separator: "\r\n").map(String.init)
            #expect(lines.first == "HEAD /a/../b?q=%20 HTTP/1.1")
            #expect(lines.contains("User-Agent: TenureTests/1 (+mailto:a@example.org)"))
            #expect(lines.contains("If-None-Match: \"x\""))
            #expect(lines.contains("X-Empty:"))
            #expect(lines.contains("Accept-Encoding: gzip, br, zstd, deflate"))
            let names = lines.dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
            let expected = [
                "host", "user-agent", "accept", "accept-encoding", "if-none-match", "x-empty",
            ]
            #expect(Set(names) == Set(expected))
        }

        @Test func `a kept connection serves the next request`() async throws {
            let server = try TestServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            let transport = try CurlTransport.testing()
            for _ in 0..<5 {
                let response = try await transport.send(.testing(server.url))
                _ = try await response.body.collect(limit: 10)
            }
            #expect(server.connections == 1)
        }

        @Test func `the environment's proxy is not asked`() async throws {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("all_proxy", "http://127.0.0.1:1", 1)
            defer {
                unsetenv("http_proxy")
                unsetenv("all_proxy")
            }
            let server = try TestServer(answer: "HTTP/1.1 204 No\r\n\r\n")
            let response = try await CurlTransport.testing().send(.testing(server.url))
            #expect(response.status == 204)
        }

        @Test func `an unchanged page may announce the length it would have`() async throws {
            let server = try TestServer(
                answer: "HTTP/1.1 304 Not\r\nContent-Length: 99999999999\r\n\r\n")
            let response = try await CurlTransport.testing().send(.testing(server.url))
            #expect(try await response.body.collect(limit: 0).isEmpty)
        }

        @Test func `interim responses are passed over`() async throws {
            let server = try TestServer(
                answer: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n")
            let transport = try CurlTransport.testing()
            let response = try await transport.send(.testing(server.url))
            #expect(response.status == 200)
            #expect(response.headers["link"] == nil)
            #expect(try await response.body.collect(limit: 10) == Array("abc".utf8))
        }
    }
}
