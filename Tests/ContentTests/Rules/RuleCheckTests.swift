import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// Rules as servers see them, and as reports do.
@Suite struct RuleCheckTests {
    @Test func `who is excluded is not asked, and include makes exceptions`() async throws {
        let bench = try await RuleBench("exclude")
        bench.web.answer(
            "/",
            .page("<a href=/print/a>a</a> <a href=/print/keep>k</a> <a href=/two>2</a>"))
        bench.web.answer("/two", .redirect(302, "/print/b"))
        bench.web.answer("/print/keep", .page("<p>kept"))
        let report = try await bench.check(
            RuleBench.rules { ($0.exclude, $0.include) = (["*/print/*"], ["*/keep"]) })
        #expect(report.findings.isEmpty && report.isComplete)
        #expect(report.targets == ["ok": 2, "redirected": 1, "skipped": 2])
        #expect(report.excluded == 2)
        #expect(bench.asked(bench.web) == ["/", "/two", "/print/keep"])
        let all = try await bench.check()
        #expect(all.findings.map(\.code) == ["404", "404"])
    }

    @Test func `foreign targets are asked where one of their patterns fits`() async throws {
        let bench = try await RuleBench("foreign")
        let (yes, no) = ("\(bench.other.url)/yes", "\(bench.other.url)/no")
        bench.web.answer("/", .page("<a href=\(yes)>y</a> <a href=\(no)>n</a>"))
        bench.other.answer("/yes", .status(200))
        let report = try await bench.check(RuleBench.rules { $0.foreign = ["*/yes"] })
        #expect(report.findings.isEmpty && report.targets == ["ok": 2, "skipped": 1])
        #expect(bench.asked(bench.other).subtracting(["/robots.txt"]) == ["/yes"])
    }

    @Test func `of a folder files are excluded by their paths`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let drafts = folder.appending(path: "drafts")
        try FileManager.default.createDirectory(at: drafts, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<a href=drafts/a.html>a</a> <a href=gone.html>g</a>".utf8)
            .write(to: folder.appending(path: "index.html"))
        try Data("<a href=nothing>n</a>".utf8).write(to: drafts.appending(path: "a.html"))
        let fixture = try await ContentFixture("drafts")
        var options = SiteCheckOptions()
        options.rules.exclude = ["drafts/*"]
        let report = try await fixture.checkFolder(folder.path(), options)
        #expect(report.findings.map(\.file) == ["gone.html"])
        #expect(report.pages == 1)
        options.rules.exclude = ["*"]
        await #expect(throws: ContentError.self) {
            try await fixture.checkFolder(folder.path(), options)
        }
    }

    @Test func `what one check accepts is well for it, and for nobody else`() async throws {
        let bench = try await RuleBench("accept")
        let (gone, shut) = ("\(bench.other.url)/gone", "\(bench.other.url)/shut")
        bench.web.answer("/", .page("<a href=\(gone)>g</a> <a href=\(shut)>s</a> <a href=/x>x</a>"))
        bench.other.answer("/shut", .status(403))
        bench.other.answer("/gone", .status(410))
        bench.web.answer("/x", .status(418))
        let rules = try RuleBench.rules {
            $0.accept = [
                AcceptRule([try StatusRange("400..=499")], at: "\(bench.other.url)/*"),
                AcceptRule([try StatusRange("418")]),
            ]
        }
        let report = try await bench.check(rules)
        #expect(report.findings.isEmpty && report.targets == ["ok": 4])
        #expect(report.accepted == 3)
        #expect(try await bench.memory(of: gone) == "suspect")
        #expect(try await bench.memory(of: shut) == "blocked")
        #expect(try await bench.memory(of: "\(bench.web.url)/x") == "broken")
        let others = try await bench.check()
        #expect(others.targets == ["ok": 1, "suspect": 1, "blocked": 1, "broken": 1])
    }

    @Test func `a host that asks for a pause gets it, although the answer is accepted`()
        async throws
    {
        let bench = try await RuleBench("pause")
        bench.web.answer("/", .page("<a href=\(bench.other.url)/busy>b</a>"))
        bench.other.answer("/busy", .status(429, "Retry-After: 50"))
        let report = try await bench.check(
            try RuleBench.rules { $0.accept = [AcceptRule([try StatusRange("429")])] })
        #expect(report.findings.isEmpty && report.targets == ["ok": 2])
        let held = try await bench.fixture.pool.query(
            "SELECT count(*) FROM content.host h WHERE h.hold_until > now() + interval '20 s'"
        ) { try $0.decode(0, as: Int64.self) }
        #expect(held == [1])
    }

    @Test func `a page that answers with an accepted status stays known`() async throws {
        let bench = try await RuleBench("known")
        bench.web.answer("/", .page("<a href=/two>2</a>"))
        bench.web.answer("/two", .page("<a href=/three>3</a>"))
        _ = try await bench.check()
        bench.web.answer("/two", .status(404))
        _ = try await bench.check(
            try RuleBench.rules { $0.accept = [AcceptRule([try StatusRange("404")])] })
        let edges = try await bench.fixture.pool.query(
            "SELECT count(*) FROM content.reference r JOIN content.item i ON i.id = r.item "
                + "WHERE i.url LIKE '%/two'"
        ) { try $0.decode(0, as: Int64.self) }
        #expect(edges == [1])
    }

    @Test func `ignored by the file until a day; the report names the place`() async throws {
        let bench = try await RuleBench("ignore")
        bench.web.answer("/", .page("<a href=/a>a</a> <a href=/b>b</a>"))
        let rules = RuleBench.rules {
            $0.ignore = [
                KeptIgnoreRule(
                    target: "*/a", code: "404", reason: "moves", until: "9999-12-31",
                    source: "links.yaml:3", madeBy: "ada"),
                KeptIgnoreRule(
                    target: "*/b", reason: "was moving", until: "2020-01-31",
                    source: "links.yaml:7", madeBy: "ada"),
            ]
        }
        let report = try await bench.check(rules)
        #expect(report.findings.map(\.target) == ["\(bench.web.url)/b"])
        #expect(report.ignored.map(\.rule.source) == ["links.yaml:3"])
        #expect(report.ignored.first?.rule.id == nil)
        #expect(report.endedRules.map(\.source) == ["links.yaml:7"])
        #expect(try await IgnoreRules(pool: bench.fixture.pool).list().isEmpty)
    }

    @Test func `fragments are left alone, and what is known of them, too`() async throws {
        let bench = try await RuleBench("fragments")
        bench.web.answer("/", .page("<a href=/two#none>2</a>"))
        bench.web.answer("/two", .page("<p>two"))
        #expect(try await bench.check().findings.map(\.code) == ["missingFragment"])
        let none = RuleBench.rules { $0.checksFragments = false }
        #expect(try await bench.check(none).findings.isEmpty)
        let missing = try await bench.fixture.pool.query(
            "SELECT f.state FROM content.target_fragment f"
        ) { try $0.decode(0, as: String.self) }
        #expect(missing == ["missing fragment"])
    }

    @Test func `limits of time and size hold for one check`() async throws {
        let bench = try await RuleBench("limits")
        bench.web.answer("/", .page("<a href=/big>b</a>"))
        bench.web.answer("/big", .page(String(repeating: "<p>text", count: 1000)))
        var options = RuleBench.options
        options.bodyBytes = 2000
        let report = try await bench.check(CheckRules(), options)
        #expect(report.findings.map(\.code) == ["bodyTooLarge"])
        #expect(try await bench.check().findings.isEmpty)
    }

    @Test func `checks by other rules are not compared, but what is ignored may differ`()
        async throws
    {
        let bench = try await RuleBench("compare")
        bench.web.answer("/", .page("<a href=/a>a</a>"))
        let plain = try await bench.check()
        let ignoring = try await bench.check(
            RuleBench.rules {
                $0.ignore = [
                    KeptIgnoreRule(target: "*/a", reason: "r", source: "f:1", madeBy: "ada")
                ]
            })
        let excluding = try await bench.check(RuleBench.rules { $0.exclude = ["*/a"] })
        let ids = try [plain, ignoring, excluding].map { try #require(UUID(uuidString: $0.check)) }
        let comparison = try await bench.fixture.check.compare(ids[0], with: ids[1])
        #expect(comparison.mended.isEmpty && comparison.staying.isEmpty)
        await #expect(throws: ContentError.self) {
            try await bench.fixture.check.compare(ids[0], with: ids[2])
        }
    }

    /// What `SpreadCheck` says of all links of a page is what `RuleFilter` says of one.
    @Test func `patterns mean the same in SQL as here`() async throws {
        let fixture = try await ContentFixture("like")
        var random = SystemRandomNumberGenerator()
        let letters = ["a", "b", "*", "%", "_", "\\", "ä", "/"]
        func text(_ most: Int) -> String {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            }.joined()
        }
        for _ in 0..<400 {
            let (pattern, name) = (text(6), text(8))
            let found = try await fixture.pool.execute(
                Likes(name: name, pattern: Glob.like(pattern))
            ).first
            #expect(found == Glob(pattern).matches(name), "\(pattern) \(name)")
        }
    }
}

private struct Likes: PostgresStatement {
    static let sql = "SELECT $1::text COLLATE \"C\" LIKE ANY ($2::text[])"
    let name: String
    let pattern: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(name)
        try parameters.append([pattern])
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
