import Tenure
import TestSupport
import Testing

@testable import Content

/// What rules of a site make of what is told of it.
@Suite struct RuleNoticeTests {
    private func bench(_ label: String) async throws -> SiteBench {
        let bench = try await SiteBench(label)
        try await bench.addSink()
        try await bench.watch()
        try await bench.check()
        bench.web.answer("/docs/", .page("<a href=two#none>two</a> <a href=three>three</a>"))
        bench.web.answer("/docs/three", .status(404))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("broken").count } == [2])
        return bench
    }

    private func standing(_ bench: SiteBench) async throws -> Int {
        try await bench.sites.site(bench.name).broken
    }

    @Test func `what is accepted was not mended by that, but once it is well`() async throws {
        let bench = try await bench("accepted")
        _ = try await bench.sites.change(bench.name) {
            $0.rules.accept = [AcceptRule([try StatusRange("404")])]
        }
        try await bench.check()
        #expect(try bench.notices().count == 1)
        #expect(try await standing(bench) == 2)
        bench.web.answer("/docs/three", .page("<p>three"))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("mended") } == [[], ["three"]])
    }

    @Test func `nor what nobody looks at any more`() async throws {
        let bench = try await bench("unseen")
        _ = try await bench.sites.change(bench.name) {
            $0.rules.exclude = ["*/three"]
            $0.rules.checksFragments = false
        }
        try await bench.check()
        #expect(try bench.notices().count == 1)
        #expect(try await standing(bench) == 2)
    }

    @Test func `where no name server answers, nothing is mended by that`() async throws {
        let names = try NameServer([])
        var bench = try await SiteBench("mail")
        bench.nameServer = ("127.0.0.1", names.port)
        try await bench.addSink()
        try await bench.watch()
        _ = try await bench.sites.change(bench.name) { $0.rules.aspects.mail = true }
        try await bench.check()
        bench.web.answer("/docs/", .page("<a href=mailto:ada@no.test>ada</a>"))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("broken").count } == [1])
        // Nobody listens there.
        bench.nameServer = ("127.0.0.1", 1)
        try await bench.check()
        #expect(try bench.notices().count == 1)
        #expect(try await standing(bench) == 1)
        bench.nameServer = ("127.0.0.1", names.port)
        bench.web.answer("/docs/", .page("nobody"))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("mended").count } == [0, 1])
    }

    @Test func `what the site's rules ignore is not told`() async throws {
        let bench = try await SiteBench("ignored")
        try await bench.addSink()
        try await bench.watch()
        _ = try await bench.sites.change(bench.name) {
            $0.rules.ignore = [
                KeptIgnoreRule(target: "*/three", reason: "moves", source: "f:1", madeBy: "ada")
            ]
        }
        try await bench.check()
        bench.web.answer("/docs/three", .status(404))
        bench.web.answer("/docs/two", .status(404))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("broken") } == [["two"]])
    }

    @Test func `a change that can't be is none`() async throws {
        let bench = try await SiteBench("change")
        try await bench.watch(channels: [])
        await #expect(throws: ContentError.self) {
            try await bench.sites.change(bench.name) {
                $0.depth = 3
                $0.rules.exclude = ["a b"]
            }
        }
        #expect(try await bench.sites.site(bench.name).options?.depth == nil)
        await #expect(throws: ContentError.self) {
            try await bench.sites.change(.url("http://127.0.0.1/none")) { $0.depth = 3 }
        }
    }
}
