import Testing

@testable import HTTPTransport

/// Answers from a table; remembers what it was asked.
private final class FakeTransport: HTTPTransport {
    private let answers: [String: (Int, String)]
    let requests = Lock<[HTTPRequest]>([])

    init(_ answers: [String: (Int, String)]) {
        self.answers = answers
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        requests.withLock { $0.append(request) }
        guard let (status, location) = answers[request.url] else {
            return HTTPResponse(status: 200, url: request.url, body: HTTPBody(Array("end".utf8)))
        }
        return HTTPResponse(status: status, headers: ["location": location], url: request.url)
    }
}

extension SocketTests {
    @Suite struct RedirectTests {
        private func fetch(
            _ answers: [String: (Int, String)], _ url: String = "https://a.test/", max: Int = 10,
            headers: HTTPHeaders = [:], check: RedirectingClient.Check = { _ in }
        ) async throws -> (RedirectedResponse, [HTTPRequest]) {
            let transport = FakeTransport(answers)
            let client = RedirectingClient(transport: transport, maxRedirects: max) {
                base, location in
                location.hasPrefix("/") ? "https://a.test" + location : location
            }
            let result = try await client.fetch(
                HTTPRequest(url: url, headers: headers), check: check)
            return (result, transport.requests.withLock { $0 })
        }

        @Test func `a chain is followed and recorded`() async throws {
            let (result, requests) = try await fetch([
                "https://a.test/": (301, "/b"), "https://a.test/b": (302, "https://c.test/#frag"),
            ])
            #expect(
                requests.map(\.url) == ["https://a.test/", "https://a.test/b", "https://c.test/"])
            #expect(result.redirects.map(\.status) == [301, 302])
            #expect(result.redirects.map(\.isPermanent) == [true, false])
            #expect(result.redirects.last?.to == "https://c.test/")
            #expect(try await result.response.body.collect(limit: 10) == Array("end".utf8))
        }

        @Test func `every hop is checked before it is made`() async throws {
            struct Refusal: Error {}
            let hops = Lock<[RedirectHop]>([])
            await #expect(throws: Refusal.self) {
                try await fetch(["https://a.test/": (307, "https://evil.test/")]) { hop in
                    hops.withLock { $0.append(hop) }
                    if hop.url.contains("evil") { throw Refusal() }
                }
            }
            #expect(hops.withLock { $0.map(\.url) } == ["https://a.test/", "https://evil.test/"])
            #expect(hops.withLock { $0.map(\.from) } == [nil, "https://a.test/"])
        }

        @Test func `credentials end at the border of their origin, and stay ended`() async throws {
            let headers: HTTPHeaders = [
                "authorization": "Bearer x", "Cookie": "a=b", "If-None-Match": "\"1\"",
            ]
            let (_, requests) = try await fetch(
                [
                    "https://a.test/": (302, "/same"),
                    "https://a.test/same": (302, "https://a.test:8443/"),
                    "https://a.test:8443/": (302, "https://a.test/back"),
                ], headers: headers)
            #expect(
                requests.map { $0.headers["Authorization"] } == ["Bearer x", "Bearer x", nil, nil])
            #expect(requests.map { $0.headers["cookie"] } == ["a=b", "a=b", nil, nil])
            #expect(requests.allSatisfy { $0.headers["if-none-match"] != nil })
        }

        @Test func `from https there is no way to http, from http there is`() async throws {
            await expect(.insecureRedirect) {
                try await fetch(["https://a.test/": (301, "http://a.test/")])
            }
            let (result, _) = try await fetch(
                ["http://a.test/": (301, "https://a.test/")], "http://a.test/")
            #expect(result.response.url == "https://a.test/")
        }

        @Test func `a loop is found, a long chain ends, both tell the way`() async throws {
            let loop = await failure {
                try await fetch([
                    "https://a.test/": (302, "/b"), "https://a.test/b": (302, "/#again"),
                ])
            }
            #expect(loop?.code == .redirectLoop)
            #expect(loop?.redirects.count == 2)
            var chain: [String: (Int, String)] = [:]
            for index in 0..<20 { chain["https://a.test/\(index)"] = (302, "/\(index + 1)") }
            let long = await failure { try await fetch(chain, "https://a.test/0") }
            #expect(long?.code == .tooManyRedirects)
            #expect(long?.redirects.count == 10)
            #expect(try await fetch(chain, "https://a.test/10").0.redirects.count == 10)
        }

        @Test func `a redirect to nowhere is an error, one without Location an answer`()
            async throws
        {
            for location in ["javascript:alert(1)", "ftp://a.test/", "http://u:p@a.test/", ""] {
                await expect(.badRedirect) { try await fetch(["https://a.test/": (302, location)]) }
            }
            let server = try TestServer(answer: "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
            let client = RedirectingClient(transport: try CurlTransport.testing()) { _, new in new }
            let result = try await client.fetch(.testing(server.url))
            #expect(result.response.status == 302)
        }

        @Test func `over a socket the connection is kept from hop to hop`() async throws {
            let server = try TestServer { peer in
                while let request = peer.readRequest() {
                    let isLast = request.hasPrefix("GET /2 ")
                    let status = isLast ? "200 OK" : "302 Found\r\nLocation: /2"
                    peer.send("HTTP/1.1 \(status)\r\nContent-Length: 4\r\n\r\nbody")
                }
            }
            let base = server.url
            let client = RedirectingClient(transport: try CurlTransport.testing()) { _, new in
                base + new
            }
            let result = try await client.fetch(.testing(base + "/1"))
            #expect(try await result.response.body.collect(limit: 4) == Array("body".utf8))
            #expect(server.connections == 1)
        }

        @Test func `a redirect to an address that may not be reached is refused`() async throws {
            let server = try TestServer(
                answer:
                    "HTTP/1.1 302 F\r\nLocation: http://169.254.169.254/\r\n"
                    + "Content-Length: 0\r\n\r\n")
            let client = RedirectingClient(transport: try CurlTransport.testing()) { _, new in new }
            let error = await failure { try await client.fetch(.testing(server.url)) }
            #expect(error?.code == .refusedAddress)
            #expect(error?.redirects.count == 1)
        }
    }
}
