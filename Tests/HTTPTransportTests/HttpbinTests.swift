import Testing
import Web

@testable import HTTPTransport

extension SocketTests {
    /// What each route of httpbin comes to.
    @Suite(.enabled(if: Httpbin.isInstalled, "httpbin is missing: bin/setup --tests"))
    struct HttpbinTests {
        private struct Route: Sendable {
            var path: String
            var outcome: String
            var headers: HTTPHeaders = [:]
            var change: @Sendable (inout HTTPLimits) -> Void = { _ in }
            /// What else has to be true of the answer.
            var holds: @Sendable (HTTPResponse, [UInt8]) -> Bool = { _, _ in true }

            init(
                _ path: String, _ outcome: String, _ headers: HTTPHeaders = [:],
                _ holds: @escaping @Sendable (HTTPResponse, [UInt8]) -> Bool = { _, _ in true }
            ) {
                (self.path, self.outcome, self.headers) = (path, outcome, headers)
                self.holds = holds
            }

            init(
                _ path: String, _ outcome: String,
                limits: @escaping @Sendable (inout HTTPLimits) -> Void
            ) {
                (self.path, self.outcome, change) = (path, outcome, limits)
            }
        }

        @Test func `every route comes to its outcome`() async throws {
            let httpbin = try Httpbin()
            let transport = try CurlTransport.testing()
            for route in Self.statuses + Self.redirects + Self.conditions + Self.bodies + Self.slow
            {
                let request = try HTTPRequest.testing(
                    httpbin.url + route.path, headers: route.headers, route.change)
                var outcome: String
                do {
                    let answer = try await transport.send(request)
                    let body = try await answer.body.collect(limit: 1 << 20)
                    outcome = "\(answer.status)"
                    #expect(route.holds(answer, body), "\(route.path)")
                } catch let error as HTTPTransportError {
                    outcome = error.code.rawValue
                }
                #expect(outcome == route.outcome, "\(route.path)")
                print("HTTPBIN|\(route.path)|\(outcome)")
            }
        }

        private static let statuses = [
            200, 204, 304, 400, 401, 402, 403, 404, 405, 408, 410, 418, 425, 429, 451, 500, 502,
            503,
            504,
        ].map { Route("/status/\($0)", "\($0)") }

        /// Answers like any other; and a cookie that is set is not sent.
        private static let redirects = [
            Route("/redirect/1", "302") { answer, _ in answer.headers["Location"] == "/get" },
            Route("/redirect-to?url=%2Fget&status_code=308", "308"),
            Route("/cookies/set?a=b", "302") { answer, _ in answer.headers["Set-Cookie"] != nil },
            Route("/cookies", "200") { !text($1).contains("\"a\"") },
        ]

        private static let conditions = [
            Route("/etag/one", "200") { answer, _ in answer.headers["ETag"] != nil },
            Route("/etag/one", "304", ["If-None-Match": "\"one\""]) { $1.isEmpty },
            Route("/etag/one", "200", ["If-None-Match": "\"two\""]),
            Route("/etag/one", "412", ["If-Match": "\"two\""]),
            Route("/cache", "200") { answer, _ in answer.headers["Last-Modified"] != nil },
            Route("/cache", "304", ["If-Modified-Since": "Sat, 29 Oct 1994 19:43:31 GMT"]),
            Route("/cache/60", "200") { answer, _ in
                answer.headers["Cache-Control"].map { CacheControl($0).maxAge }
                    == .seconds(60)
            },
            Route("/range/1024", "206", ["Range": "bytes=10-19"]) { answer, body in
                body.count == 10
                    && answer.headers["Content-Range"] == "bytes 10-19/1024"
            },
            Route("/range/1024", "200") { $1.count == 1024 },
            Route("/range/1024", "416", ["Range": "bytes=4000-"]),
            Route("/basic-auth/me/pw", "401"),
            Route("/basic-auth/me/pw", "200", ["Authorization": "Basic bWU6cHc="]),
        ]

        private static let bodies = [
            Route("/gzip", "200") { text($1).contains("\"gzipped\": true") },
            Route("/deflate", "200") { text($1).contains("\"deflated\": true") },
            Route("/brotli", "200") { text($1).contains("\"brotli\": true") },
            Route("/headers", "200") { text($1).contains("gzip, br, zstd, deflate") },
            Route("/user-agent", "200") { text($1).contains("TenureTests/1") },
            Route("/encoding/utf8", "200") { answer, body in
                let type = answer.headers["Content-Type"].flatMap { MediaType($0) }
                return type?.charset == "utf-8" && text(body).contains("ði ıntəˈnæʃənəl")
            },
            Route("/html", "200") { text($1).contains("Moby-Dick") },
            Route("/image/png", "200") { _, body in body.starts(with: [0x89, 0x50, 0x4E, 0x47]) },
            Route("/bytes/5000", "200") { $1.count == 5000 },
            Route("/bytes/5000", "bodyTooLarge", limits: { $0.wireBytes = 4999 }),
            Route("/stream/20", "200") { text($1).split(separator: "\n").count == 20 },
            Route("/stream-bytes/100000?chunk_size=999", "200") { $1.count == 100_000 },
            Route("/stream-bytes/100000", "bodyTooLarge", limits: { $0.decodedBytes = 50_000 }),
            Route("/response-headers?X-Long=" + String(repeating: "a", count: 7000), "200"),
            Route(
                "/response-headers?X-Long=" + String(repeating: "a", count: 7000),
                "headersTooLarge",
                limits: { $0.headerBytes = 6000 }),
        ]

        private static let slow = [
            Route("/delay/1", "200"),
            Route("/delay/3", "timeoutFirstByte", limits: { $0.firstByte = .milliseconds(300) }),
            Route("/drip?duration=1&numbytes=10&delay=0", "200") { $1.count == 10 },
            Route(
                "/drip?duration=5&numbytes=5&delay=0", "stalled",
                limits: { $0.stall = .milliseconds(700) }),
            Route(
                "/drip?duration=5&numbytes=5&delay=0", "totalTimeout",
                limits: { $0.total = .milliseconds(700) }),
        ]

        private static func text(_ bytes: [UInt8]) -> String {
            String(decoding: bytes, as: UTF8.self)
        }
    }
}
