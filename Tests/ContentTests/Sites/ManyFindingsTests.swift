import Content
import Tenure
import TestSupport
import Testing

/// Checks that find more than a worker holds.
@Suite struct ManyFindingsTests {
    /// Thirty pages that all refer to the same few targets.
    private func bench(_ label: String) async throws -> SiteBench {
        let bench = try await SiteBench(label)
        try await bench.addSink()
        let links = (0..<30).map { "<a href=p\($0)>p</a>" }.joined()
        bench.web.answer("/docs/", .page(links + "<a href=three>three</a>"))
        for number in 0..<30 { bench.web.answer("/docs/p\(number)", .page(Self.page)) }
        bench.web.answer("/docs/two", .page("<p id=here>two"))
        try await bench.watch()
        return bench
    }

    private static let page = "<img src=pic><a href=three>t</a><a href='two#here'>t</a>"

    @Test func `a link on every page is told of with its count, and held a few times`()
        async throws
    {
        let bench = try await bench("navigation")
        bench.web.answer("/docs/pic", .page("<p>pic"))
        try await bench.check(holding: 10)
        bench.web.answer("/docs/pic", .status(404))
        bench.web.answer("/docs/three", .status(404))
        try await bench.check(holding: 10)
        let told = try #require(try bench.notices().first)
        #expect(Set(told.targets("broken")) == ["pic", "three"])
        let broken = told.body["broken"] as? [[String: Any]] ?? []
        #expect(broken.map { $0["placeCount"] as? Int } == [30, 31])
        #expect(broken.map { $0["isHard"] as? Bool } == [true, false])
        let kept = try await bench.pool.query(
            """
            SELECT f.place_count, jsonb_array_length(f.finding -> 'places')
            FROM content.check_finding f ORDER BY f.ordinal
            """
        ) { [try $0.decode(0, as: Int32.self), try $0.decode(1, as: Int32.self)] }
        #expect(kept == [[30, 5], [31, 5]])
    }

    @Test func `what there is no room for is neither mended nor found`() async throws {
        let bench = try await bench("room")
        bench.web.answer("/docs/pic", .page("<p>pic"))
        try await bench.check()
        for path in ["pic", "three"] { bench.web.answer("/docs/\(path)", .status(404)) }
        bench.web.answer("/docs/two", .page("<p>two"))
        try await bench.check()
        #expect(
            try bench.notices().map { Set($0.targets("broken")) } == [["pic", "three", "two#here"]])
        // Two are broken targets, of which one is looked at.
        try await bench.check(holding: 1)
        #expect(try bench.notices().count == 1)
        #expect(try await bench.sites.site(bench.name).broken == 3)
        // A fragment among many that are missing: the one that isn't held stays what it was.
        bench.web.answer("/docs/", .page("<a href=p1>p</a> <a href='two#a'>t</a>"))
        bench.web.answer("/docs/three", .page("<p>three"))
        try await bench.check(holding: 1)
        let missing = try await bench.value(
            "SELECT count(*) FROM content.target_fragment f WHERE f.state = 'missing fragment'",
            as: Int64.self)
        #expect(missing == 2)
        #expect(try await bench.sites.site(bench.name).broken == 4)
        // With room for all of it, what is mended is seen to be.
        try await bench.check()
        let last = try #require(try bench.notices().last)
        #expect(last.targets("mended") == ["three"])
    }
}
