import HTTPTransport
import Logging
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

@testable import Content

/// Secrets that fetches come by are in the URLs that need them, and nowhere else.
@Suite(.serialized) struct SecretTests {
    private static let secret = "canary7f3e"

    @Test(
        arguments: [
            ("https://a.test/x?a=1", "https://a.test/x?a=1"),
            ("https://u:p@a.test/x", "https://…@a.test/x"),
            ("https://ghp_1@a.test/", "https://…@a.test/"),
            ("https://a.test/?token=s&a=1", "https://a.test/?token=…&a=1"),
            ("https://a.test/?X-Amz-Signature=s#access_token=t", nil),
            ("https://a.test/x;jsessionid=s?q=1", "https://a.test/x;jsessionid=…?q=1"),
            ("https://a.test/?api%5Fkey=s", "https://a.test/?api%5Fkey=…"),
            ("https://a.test/?monkey=1&keyword=2", "https://a.test/?monkey=1&keyword=2"),
            ("see https://a.test/?pwd=s, then", nil),
            ("no: URL at all? key=1", "no: URL at all? key=1"),
        ] as [(String, String?)])
    func `URLs are shown without secrets`(url: String, expected: String?) {
        let shown = URLRedaction.text(url)
        if let expected { #expect(shown == expected) }
        #expect(!shown.contains("=s") && !shown.contains("=t"))
        #expect(URLRedaction.text(shown) == shown)
    }

    @Test func `a canary is in no log, no error and no table of attempts`() async throws {
        let bench = try await FetchBench("canary")
        let query = "?token=\(Self.secret)&session_id=\(Self.secret)&q=1"
        let cookie = "Set-Cookie: id=\(Self.secret)"
        bench.web.answer("/ok", .page(page("t", words: 50), cookie, "X-Token: \(Self.secret)"))
        bench.web.answer("/moved", .redirect(302, "/ok?sig=\(Self.secret)"))
        bench.web.answer("/away", .redirect(302, "ftp://u:\(Self.secret)@x.test/"))
        bench.web.answer("/loop", .redirect(301, "/loop\(query)"))
        bench.web.answer("/busy", .status(500))
        bench.web.answer("/gone", .status(404))
        bench.web.answer("/cut", LocalWeb.Answer(body: Array("<p>x".utf8), isCut: true))
        let log = LogCatch()
        let paths = ["/ok", "/moved", "/away", "/loop", "/busy", "/gone", "/cut"]
        try await bench.working(logger: log.logger) {
            for path in paths {
                _ = try await bench.ended(bench.enqueue(bench.fetch(path + query)))
            }
        }
        #expect(bench.web.requests.contains { $0.path.contains(Self.secret) })
        #expect(!log.text.isEmpty && !log.text.contains(Self.secret), "\(log.text)")
        let tables = [
            "content.fetch_run", "tenure.attempt_error", "tenure.subject", "content.item_field",
            "content.version", "content.candidate", "content.target_event",
        ]
        for table in tables {
            let rows = try await bench.value(
                "SELECT coalesce(string_agg(t::text, ' '), '') FROM \(table) t", as: String.self)
            #expect(!rows.contains(Self.secret), "\(table)")
        }
        let keys = try await bench.value(
            """
            SELECT string_agg(concat_ws(' ', h.key, h.reason, h.result), ' ')
            FROM tenure.job_history h
            """, as: String.self)
        #expect(keys.contains("token=…") && !keys.contains(Self.secret))
        let hidden = try await bench.value(
            "SELECT string_agg(concat_ws(' ', i.redirects, i.headers), ' ') FROM content.item i",
            as: String.self)
        #expect(!hidden.contains(Self.secret))
    }

    @Test func `a proxy's password and a refused URL's are not in their errors`() throws {
        var configuration = ContentConfiguration()
        do {
            try configuration.usesProxy("socks5://me:\(Self.secret)@proxy.test:1080")
            Issue.record("taken")
        } catch { #expect(!"\(error)".contains(Self.secret) && "\(error)".contains("http://host")) }
        try configuration.usesProxy("http://me:p%40ss@proxy.test:3128", naming: .proxy)
        let proxy = try #require(configuration.proxy)
        #expect(proxy.url == "http://proxy.test:3128" && proxy.user == "me")
        #expect(proxy.password == "p@ss" && proxy.naming == .atProxy)
        #expect(!"\(configuration)".contains("p@ss"))
        do {
            _ = try ContentFetch(checking: "https://me:\(Self.secret)@a.test/")
            Issue.record("taken")
        } catch { #expect(!"\(error)".contains(Self.secret)) }
        #expect(throws: ContentError.self) { try configuration.usesRevocationLists("/etc/passwd") }
    }
}
