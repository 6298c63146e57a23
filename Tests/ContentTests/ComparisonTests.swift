import Content
import Tenure
import TenureFoundation
import Testing

/// Two checks of a site, the later one after pages have changed.
@Suite struct ComparisonTests {
    private func run(
        _ fixture: ContentFixture, _ pages: [String: FakeWeb.Page],
        at url: String = "https://site.test/"
    ) async throws -> UUID {
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.pauseSeconds = 0.01
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        return try await fixture.withWorkers(
            configuration: configuration, transport: FakeWeb(pages)
        ) { [options] in
            let check = try await fixture.check.start(url: url, options)
            _ = try await fixture.check.wait(check, every: .milliseconds(20))
            return check
        }
    }

    private func fixture() async throws -> ContentFixture {
        let fixture = try await ContentFixture("compare")
        try await fixture.own("site.test")
        return fixture
    }

    @Test func `what is new, mended and staying is told of any two checks`() async throws {
        let fixture = try await fixture()
        let before = try await run(
            fixture,
            [
                "https://site.test/": .init(
                    body: "<a href=a>1</a> <a href=b>2</a> <a href='#x'>3</a>")
            ])
        let after = try await run(
            fixture,
            [
                "https://site.test/": .init(
                    body: "<p id=x><a href=b>2</a> <a href=c>3</a> <a href=http://[>4</a>")
            ])
        let comparison = try await fixture.check.compare(before, with: after)
        #expect(comparison.new.map(\.target) == ["http://[", "https://site.test/c"])
        #expect(
            comparison.mended.map { "\($0.target)#\($0.fragment ?? "")" }
                == ["https://site.test/#x", "https://site.test/a#"])
        #expect(comparison.staying.map(\.target) == ["https://site.test/b"])
        #expect(comparison.staying.map(\.places.count) == [1])
        // The other way round, too: the earlier one is still known.
        let back = try await fixture.check.compare(after, with: before)
        #expect(back.new == comparison.mended && back.mended == comparison.new)
        _ = try await IgnoreRules(pool: fixture.pool).add(
            target: "*/c", reason: "soon", by: "ada")
        #expect(try await fixture.check.compare(before, with: after).new.count == 1)
    }

    @Test func `of a finding in many places some are kept, and all counted`() async throws {
        let fixture = try await fixture()
        let links = String(repeating: "<a href=dead>d</a>", count: 50)
        let check = try await run(fixture, ["https://site.test/": .init(body: links)])
        let staying = try await fixture.check.compare(check, with: check).staying
        #expect(staying.map(\.places.count) == [20] && staying.map(\.placeCount) == [50])
    }

    @Test func `what can't be compared is said`() async throws {
        let fixture = try await fixture()
        let pages = ["https://site.test/": FakeWeb.Page(), "https://site.test/b/": .init()]
        let one = try await run(fixture, pages)
        let other = try await run(fixture, pages, at: "https://site.test/b/")
        let unfinished = try await fixture.check.start(url: "https://site.test/")
        let cancelled = try await fixture.check.start(url: "https://site.test/")
        try await fixture.check.cancel(cancelled, by: "ada")
        for (id, code) in [
            (UUID(), ContentError.Code.unknownCheck), (other, .differentSites),
            (unfinished, .unfinishedCheck), (cancelled, .unfinishedCheck),
        ] {
            let error = await #expect(throws: ContentError.self) {
                try await fixture.check.compare(one, with: id)
            }
            #expect(error?.code == code && error?.description.contains("\n") == false)
        }
    }
}
