import Content
import Tenure
import TenureFoundation
import Testing

/// Pages that aren't any more what was read of them.
@Suite struct ReplacedPageTests {
    private let site = CheckBench.site

    @Test func `what a limit has cut off is read again, and not taken as unchanged`() async throws {
        let body = "<a href=/b>b</a> <a href=/dead>d</a>"
        let bench = try await CheckBench(
            "cut", [site: .init(headers: ["ETag": "\"1\""], body: body), "\(site)b": .init()])
        var fetch = ContentFetch(url: site, force: true)
        var limits = FetchLimits()
        limits.references = 1
        fetch.limits = limits
        try await bench.fetch(fetch)
        let dead = ["404 \(site)dead at \(site):1:26"]
        #expect(try await bench.check().lines == dead)
        #expect(bench.web.notModified == 0)
        // Nothing was cut off then.
        #expect(try await bench.check().lines == dead)
        #expect(bench.web.notModified == 1)
    }

    @Test func `what is unchanged is the document that was asked about, and no newer one`()
        async throws
    {
        let page = FakeWeb.Page(headers: ["ETag": "\"1\""], body: "<p>one")
        let bench = try await CheckBench("meanwhile", [site: page])
        #expect(try await bench.check().lines.isEmpty)
        bench.web.beforeUnchanged { [pool = bench.pool] in
            // A fetch, say, that got the next document.
            try await pool.query("UPDATE content.item SET hash = sha256('two'), etag = '\"2\"'")
        }
        #expect(try await bench.check().lines.isEmpty)
        #expect(bench.web.notModified == 1)
        let etag = try await bench.value("SELECT etag FROM content.item", as: String.self)
        #expect(etag == "\"2\"")
    }

    static let successors = [
        "a redirect": FakeWeb.Page(status: 302, headers: ["Location": "/new"]),
        "no document": FakeWeb.Page(type: "application/pdf", body: "%PDF-1.4"),
    ]

    @Test(arguments: successors.keys.sorted())
    func `a page that has become something else refers to nothing`(_ name: String) async throws {
        let page = "<img src=/pic.png> <a href=/dead>d</a> <i id=x>x</i>"
        let old = FakeWeb.Page(headers: ["ETag": "\"1\""], body: page)
        let bench = try await CheckBench(
            "replaced",
            [
                site: .init(body: "<a href=/old#x>old</a>"), "\(site)old": old,
                "\(site)new": .init(body: "<p>new"), "\(site)pic.png": .init(type: "image/png"),
            ])
        let impact = Impact(pool: bench.pool)
        let links = BrokenLinks(pool: bench.pool)
        let dead = ["404 \(site)dead at \(site)old:1:28"]
        let picture = ItemName.url("\(site)pic.png")
        #expect(try await bench.check().lines == dead)
        #expect(try await impact.of([picture]).map(\.verdict) == [.unsafe])

        bench.web.put("\(site)old", Self.successors[name])
        let report = try await bench.check()
        // Where it leads, there is no such anchor; nobody knows the anchors of what is no document.
        let missing =
            name == "a redirect" ? ["missingFragment \(site)old#x at \(site):1:9"] : []
        #expect(report.lines == missing)
        #expect(report.findings.allSatisfy { $0.lastOkAt != nil })
        #expect(try await links.list().lines == missing)
        #expect(try await impact.of([picture]).map(\.verdict) == [.safe])
        let left = try await bench.value(
            """
            SELECT (SELECT count(*) FROM content.reference r WHERE r.item = d)
                   + (SELECT count(*) FROM content.anchor a WHERE a.item = d)
                   + (SELECT count(*) FROM content.dropped_edge e)
            FROM content.digest('\(site)old') AS d
            """, as: Int64.self)
        #expect(left == 0)

        // As it was, with the validators that it had.
        bench.web.put("\(site)old", old)
        #expect(try await bench.check().lines == dead)
        #expect(try await links.list().lines == dead)
        #expect(try await impact.of([picture]).map(\.verdict) == [.unsafe])
        #expect(bench.web.notModified == 0)
    }

    @Test func `an eleventh redirect is one too many, whatever it leads to`() async throws {
        var pages = [
            site: FakeWeb.Page(body: "<a href=/p10>a</a> <a href=/p11#x>b</a>"),
            "\(site)p0": .init(body: "<p>the end"),
        ]
        for number in 1...11 {
            pages["\(site)p\(number)"] = .init(
                status: 302, headers: ["Location": "/p\(number - 1)"])
        }
        let bench = try await CheckBench("eleven", pages)
        let tooMany = ["tooManyRedirects \(site)p11 at \(site):1:28"]
        #expect(try await bench.check().lines == tooMany)
        #expect(try await BrokenLinks(pool: bench.pool).list().lines == tooMany)
    }
}
