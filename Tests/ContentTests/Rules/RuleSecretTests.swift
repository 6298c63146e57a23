import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// What one origin is told, nobody else is: no host, no memory, no report, no row.
@Suite struct RuleSecretTests {
    private static let names = ["Authorization", "Cookie", "X-Preview"]
    private static let basic =
        "Basic " + Data("crawler:\(RuleBench.secret)".utf8).base64EncodedString()

    @Test func `one origin is told, and not where its redirects lead`() async throws {
        let bench = try await RuleBench("leads")
        bench.web.answer(
            "/",
            .page("<a href=/away>a</a> <a href=/near>n</a> <a href=\(bench.other.url)/x>x</a>"))
        bench.web.answer("/away", .redirect(302, "\(bench.other.url)/end"))
        bench.web.answer("/near", .redirect(302, "/two"))
        bench.web.answer("/two", .page("<p>two"))
        for path in ["/end", "/x"] { bench.other.answer(path, .status(200)) }
        let report = try await bench.check(
            try RuleBench.rules { $0.requests = [try RuleBench.secrets(for: bench.web.url)] })
        #expect(report.findings.isEmpty, "\(report.lines)")
        #expect(bench.asked(bench.web) == ["/", "/away", "/near", "/two"])
        for request in bench.web.requests {
            #expect(request["Authorization"] == Self.basic)
            #expect(request["Cookie"] == "session=\(RuleBench.secret)")
            #expect(request["X-Preview"] == RuleBench.secret)
        }
        #expect(bench.asked(bench.other) == ["/robots.txt", "/end", "/x"])
        for request in bench.other.requests {
            #expect(Self.names.allSatisfy { request[$0] == nil }, "\(request.headers)")
        }
    }

    @Test func `a foreign origin is told, and its robots file is asked without`() async throws {
        let bench = try await RuleBench("foreign-secret")
        bench.web.answer("/", .page("<a href=\(bench.other.url)/x>x</a>"))
        bench.other.answer("/x", .redirect(302, "\(bench.web.url)/back"))
        bench.web.answer("/back", .page("<p>back"))
        _ = try await bench.check(
            try RuleBench.rules { $0.requests = [try RuleBench.secrets(for: bench.other.url)] })
        #expect(bench.other.requests("/x").allSatisfy { $0["Authorization"] == Self.basic })
        #expect(bench.other.requests("/robots.txt").allSatisfy { $0["Authorization"] == nil })
        #expect(bench.web.requests.allSatisfy { $0["Authorization"] == nil })
    }

    @Test func `what is well with a secret is not known to be well without`() async throws {
        let bench = try await RuleBench("view")
        let url = "\(bench.other.url)/x"
        bench.web.answer("/", .page("<a href=\(url)>x</a>"))
        bench.other.answer("/x") { $0["Authorization"] == nil ? .status(404) : .status(200) }
        let rules = try RuleBench.rules {
            $0.requests = [try RuleBench.secrets(for: bench.other.url)]
        }
        #expect(try await bench.check(rules).findings.isEmpty)
        #expect(try await bench.memory(of: url) == "unchecked")
        #expect(try await bench.check().findings.map(\.code) == ["404"])
        // Nor is it mended by it.
        #expect(try await bench.check(rules).findings.isEmpty)
        #expect(try await bench.memory(of: url) == "suspect")
    }

    @Test func `others don't ask whether a page is still the one that they can't see`()
        async throws
    {
        let bench = try await RuleBench("etag")
        bench.web.answer("/") { request in
            request["If-None-Match"] != nil
                ? .status(304)
                : request["Authorization"] == nil
                    ? .page("<p>sign in", "ETag: \"1\"")
                    : .page("<a href=/inside>i</a>", "ETag: \"1\"", "Cache-Control: max-age=99")
        }
        let rules = try RuleBench.rules {
            $0.requests = [try RuleBench.secrets(for: bench.web.url)]
        }
        #expect(try await bench.check(rules).findings.map(\.code) == ["404"])
        #expect(try await bench.check().findings.isEmpty)
        #expect(bench.web.requests("/").last?["If-None-Match"] == nil)
        // And the other way round: who may see more asks for all of it.
        #expect(try await bench.check(rules).findings.map(\.code) == ["404"])
        #expect(bench.web.requests("/").last?["If-None-Match"] == nil)
    }

    @Test func `no row and no report has the secret`() async throws {
        let bench = try await RuleBench("dump")
        bench.web.answer("/", .page("<a href=/gone>g</a> <a href=\(bench.other.url)/x>x</a>"))
        let report = try await bench.check(
            try RuleBench.rules {
                $0.requests = [
                    try RuleBench.secrets(for: bench.web.url),
                    try RuleBench.secrets(for: bench.other.url),
                ]
            })
        #expect(report.findings.count == 2)
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        let tables = try await bench.fixture.pool.query(
            """
            SELECT format('%I.%I', t.table_schema, t.table_name)
            FROM information_schema.tables t WHERE t.table_schema IN ('content', 'tenure')
            """
        ) { try $0.decode(0, as: String.self) }
        var all = json
        for table in tables {
            let rows = try await bench.fixture.pool.query("SELECT r::text FROM \(table) r") {
                try $0.decode(0, as: String.self)
            }
            all += rows.joined()
        }
        #expect(all.contains("env:TENURE_SECRET_RULES"))
        #expect(!all.contains(RuleBench.secret) && !all.contains(Self.basic.suffix(20)))
    }

    @Test func `no log has the secret, whatever becomes of the request`() async throws {
        let bench = try await RuleBench("log")
        bench.web.answer("/", .page("<a href=/cut>c</a> <a href=/away>a</a> <a href=/gone>g</a>"))
        bench.web.answer("/cut", LocalWeb.Answer(body: [0x61], isCut: true))
        bench.web.answer("/away", .redirect(302, "\(bench.other.url)/x"))
        let logs = LogCatch()
        var options = RuleBench.options
        options.rules.requests = [try RuleBench.secrets(for: bench.web.url)]
        let report = try await bench.fixture.withWorkers(
            configuration: try RuleBench.configuration, logger: logs.logger
        ) { [options] in
            let run = try await bench.fixture.check.start(url: "\(bench.web.url)/", options)
            _ = try await bench.fixture.check.wait(run, every: .milliseconds(20))
            return try await bench.fixture.check.report(run)
        }
        #expect(report.findings.count == 3)
        #expect(!logs.text.isEmpty && !logs.text.contains(RuleBench.secret))
        #expect(!logs.text.contains(Self.basic.suffix(20)))
    }

    @Test func `a secret that the worker doesn't have is a finding, and nobody is asked`()
        async throws
    {
        let bench = try await RuleBench("nosecret")
        bench.web.answer("/", .page("<a href=\(bench.other.url)/x>x</a>"))
        var rule = try RequestRule(to: bench.other.url)
        rule.headers = [.init("X-A", try RuleValue("env:TENURE_SECRET_OTHER"))]
        let report = try await bench.check(RuleBench.rules { $0.requests = [rule] })
        #expect(report.findings.map(\.code) == ["noSecret"])
        #expect(report.findings.first?.detail?.contains("TENURE_SECRET_OTHER") == true)
        #expect(bench.other.requests("/x").isEmpty)
    }

    @Test func `a name of one's own stands before ours`() async throws {
        let bench = try await RuleBench("agent")
        bench.web.answer("/", .page("<p>one"))
        var plain = try RequestRule()
        plain.headers = [.init("Accept-Language", .text("de"))]
        var rules = CheckRules()
        (rules.userAgent, rules.requests) = ("Mozilla/5.0 (X11)", [plain])
        _ = try await bench.check(rules)
        let request = try #require(bench.web.requests("/").first)
        #expect(request["User-Agent"] == "Mozilla/5.0 (X11) Tenure/0.1 (+ada@example.org)")
        #expect(request["Accept-Language"] == "de")
        // In another language it is there, too.
        #expect(try await bench.memory(of: "\(bench.web.url)/") == "ok")
    }
}
