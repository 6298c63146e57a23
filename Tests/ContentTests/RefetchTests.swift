import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// What a second fetch makes of what the first one brought. By a real server.
@Suite(.serialized) struct RefetchTests {
    private func answer(etag: String, _ body: String, _ more: String...) -> LocalWeb.Answer {
        LocalWeb.Answer(
            headers: ["Content-Type: text/html", "ETag: \"\(etag)\""] + more,
            body: Array(body.utf8))
    }

    @Test func `what is fresh is not asked for again, and force asks`() async throws {
        let bench = try await FetchBench("fresh")
        bench.web.answer("/", answer(etag: "1", page("t", words: 50), "Cache-Control: max-age=900"))
        let first = try await bench.run(bench.fetch("/", force: false))
        let left = try #require(first.freshUntil).timeIntervalSince(Date())
        #expect(left > 600 && left <= 900)
        let again = try await bench.run(bench.fetch("/", force: false))
        #expect(bench.web.requests("/").count == 1)
        #expect(again.outcome == .stored)
        let forced = try await bench.run(bench.fetch("/"))
        #expect(forced.outcome == .unchanged)
        #expect(bench.web.requests("/").count == 2)
        #expect(bench.web.requests("/")[1]["If-None-Match"] == nil)
    }

    @Test func `a 304 keeps the content and takes the new header fields`() async throws {
        let bench = try await FetchBench("304")
        let modified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
        bench.web.answer(
            "/",
            answer(
                etag: "1", page("t", words: 50), modified, "Cache-Control: max-age=0", "Age: 400",
                "Date: Sun, 06 Nov 1994 08:49:37 GMT"))
        let first = try await bench.run(bench.fetch("/", force: false))
        bench.web.answer("/") { request in
            guard request["If-None-Match"] == "\"1\"" else { return .status(500) }
            return LocalWeb.Answer(
                status: 304, headers: ["ETag: \"2\"", "Cache-Control: max-age=600"])
        }
        let second = try await bench.run(bench.fetch("/", force: false))
        #expect(second.outcome == .unchanged && second.version == 1)
        #expect(second.hash == first.hash && second.hasBody && second.fields == first.fields)
        let request = bench.web.requests("/")[1]
        #expect(request["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        // The age and the date of the first answer are not those of the second.
        let left = try #require(second.freshUntil).timeIntervalSince(Date())
        #expect(left > 580 && left <= 600)
        let etag = try await bench.value("SELECT etag FROM content.item", as: String.self)
        #expect(etag == "\"2\"")
    }

    @Test func `what is doubted is asked for again, whatever its header fields say`() async throws {
        let bench = try await FetchBench("doubted")
        let wall = "<title>News</title><p>We use cookies. Accept all or reject all."
        let lasting = "Cache-Control: max-age=900"
        bench.web.answer("/", answer(etag: "1", wall, lasting))
        let first = try await bench.run(bench.fetch("/", force: false))
        #expect(first.suspicion == "consentWall")
        bench.web.answer("/") { request in
            guard request["If-None-Match"] == "\"1\"" else { return .status(500) }
            return LocalWeb.Answer(status: 304, headers: [lasting])
        }
        for count in 2...3 {
            let again = try await bench.run(bench.fetch("/", force: false))
            #expect(again.outcome == .unchanged && bench.web.requests("/").count == count)
        }
    }

    @Test func `the same body under a new ETag is unchanged`() async throws {
        let bench = try await FetchBench("etag")
        bench.web.answer("/", answer(etag: "1", page("t", words: 50)))
        try await bench.run(bench.fetch("/", force: false))
        bench.web.answer("/", answer(etag: "2", page("t", words: 50)))
        let second = try await bench.run(bench.fetch("/", force: false))
        #expect(second.outcome == .unchanged && second.version == 1)
        bench.web.answer("/") { request in
            request["If-None-Match"] == "\"2\"" ? .status(304) : .status(500)
        }
        #expect(try await bench.run(bench.fetch("/", force: false)).outcome == .unchanged)
        #expect(try await bench.value("SELECT count(*) FROM content.body", as: Int64.self) == 1)
    }

    @Test func `a validator goes to the URL it came from, and to no other`() async throws {
        let bench = try await FetchBench("validators")
        bench.web.answer("/a", answer(etag: "1", page("t", words: 50)))
        try await bench.run(bench.fetch("/a", force: false))
        bench.web.answer("/a", .redirect(302, "/b"))
        bench.web.answer("/b") { request in
            request["If-None-Match"] == nil ? .page(page("other", words: 60)) : .status(304)
        }
        let moved = try await bench.run(bench.fetch("/a", force: false))
        #expect(moved.outcome == .stored && moved.title == "other")
        #expect(moved.finalURL == bench.web.url + "/b")
    }

    @Test func `a new document is a new version, and the old one stays`() async throws {
        let bench = try await FetchBench("versions")
        bench.web.answer("/", .page(page("one", words: 50)))
        try await bench.run(bench.fetch("/"))
        bench.web.answer("/", .page(page("two", words: 60)))
        let item = try await bench.run(bench.fetch("/"))
        let versions = try await bench.items.versions(of: item)
        #expect(versions.map(\.number) == [2, 1])
        #expect(versions.map(\.title) == ["two", "one"])
        #expect(versions[0].changed == ["text", "title", "body"])
        #expect(try await bench.value("SELECT count(*) FROM content.body", as: Int64.self) == 2)
        let last = try await bench.last(item)
        #expect(last.id == versions[0].fetch && last.bytes ?? 0 > 100)
        #expect(try #require(last.total) > 0 && (try #require(last.firstByte)) > 0)
    }

    @Test func `two sightings of a permanent redirect are a move, one is not`() async throws {
        let bench = try await FetchBench("moved")
        bench.web.answer("/new", .page(page("t", words: 50)))
        bench.web.answer("/old", .redirect(301, "/new"))
        let first = try await bench.run(bench.fetch("/old"))
        #expect(first.outcome == .stored && first.movedTo == nil)
        let second = try await bench.run(bench.fetch("/old"))
        #expect(second.outcome == .moved && second.movedTo == bench.web.url + "/new")
        #expect(second.version == 1 && second.hasBody)
        #expect(try await bench.state(of: second.url) == "moved")
        bench.web.answer("/old", .redirect(302, "/new"))
        let third = try await bench.run(bench.fetch("/old"))
        #expect(third.outcome == .unchanged && third.movedTo == nil)
    }

    @Test func `404 twice a day apart is gone, and the content stays`() async throws {
        let bench = try await FetchBench("gone")
        bench.web.answer("/", .page(page("t", words: 50)))
        try await bench.run(bench.fetch("/"))
        bench.web.answer("/", .status(404))
        for _ in 0..<2 {
            let missing = try await bench.run(bench.fetch("/"))
            #expect(missing.outcome == .failed && missing.code == "404")
        }
        // A day goes by.
        try await bench.pool.query(
            "UPDATE content.item SET missing_since = missing_since - interval '1 day'")
        let gone = try await bench.run(bench.fetch("/"))
        #expect(gone.outcome == .gone && gone.version == 1 && gone.hasBody)
        #expect(gone[.text]?.contains("Sentence 0") == true)
        bench.web.answer("/", .page(page("t", words: 50)))
        let back = try await bench.run(bench.fetch("/"))
        #expect(back.outcome == .unchanged && back.missingSince == nil)
    }

    @Test func `a suspicious shrink is kept beside, and clears by itself`() async throws {
        let bench = try await FetchBench("shrunk")
        bench.web.answer("/", answer(etag: "1", page("t", words: 500) + "<a href=/kept>x</a>"))
        let before = try await bench.run(bench.fetch("/", force: false))
        bench.web.answer(
            "/", answer(etag: "2", page("t2", words: 20), "Cache-Control: max-age=60"))
        let shrunk = try await bench.run(bench.fetch("/", force: false))
        #expect(shrunk.outcome == .stored && shrunk.code == "shrunk")
        #expect(shrunk.candidate?.reason == "shrunk" && shrunk.candidate?.title == "t2")
        #expect(shrunk.fields == before.fields && shrunk.hash == before.hash)
        #expect(shrunk.references == 1 && shrunk.version == 1)
        // It isn't fresh, and the old validators still count.
        bench.web.answer("/") { request in
            request["If-None-Match"] == "\"1\"" ? .status(304) : .status(500)
        }
        let well = try await bench.run(bench.fetch("/", force: false))
        #expect(well.outcome == .unchanged && well.candidate == nil)
    }

    @Test func `a candidate that was refused is asked about no more, and another is`() async throws
    {
        let bench = try await FetchBench("refused")
        bench.web.answer("/", .page(page("t", words: 500)))
        let whole = try await bench.run(bench.fetch("/"))
        await #expect(throws: ContentError.self) {
            try await bench.items.refuseCandidate(of: .id(whole.id), by: "ada")
        }
        bench.web.answer("/", .page(page("t2", words: 20)))
        let doubted = try #require(try await bench.run(bench.fetch("/")).candidate)
        #expect(doubted.refusedBy == nil)
        var filter = ItemFilter()
        filter.isDoubted = true
        #expect(try await bench.items.list(filter).map(\.id) == [whole.id])
        await #expect(throws: ContentError.self) {
            try await bench.items.refuseCandidate(of: .id(whole.id), fetch: UUID(), by: "ada")
        }
        await #expect(throws: TenureError.self) {
            try await bench.items.refuseCandidate(of: .id(whole.id), by: "a\nb")
        }
        let refused = try await bench.items.refuseCandidate(
            of: .url(whole.url), fetch: doubted.fetch, by: "ada")
        #expect(refused?.candidate?.refusedBy == "ada" && refused?.title == "t")
        #expect(try await bench.items.list(filter).isEmpty)
        #expect(try await bench.run(bench.fetch("/")).candidate?.refusedBy == "ada")
        await #expect(throws: ContentError.self) {
            try await bench.items.refuseCandidate(of: .id(whole.id), by: "eve")
        }
        // Another number in it, as in many pages, and nothing else.
        bench.web.answer("/", .page(page("t2", words: 20) + "<!-- ray 2 -->"))
        #expect(try await bench.run(bench.fetch("/")).candidate?.refusedBy == "ada")
        bench.web.answer("/", .page(page("t3", words: 21)))
        let other = try #require(try await bench.run(bench.fetch("/")).candidate)
        #expect(other.refusedBy == nil && other.title == "t3")
        #expect(try await bench.items.list(filter).count == 1)
        let nobody = UUID()
        #expect(try await bench.items.refuseCandidate(of: .id(nobody), by: "ada") == nil)
    }

    @Test func `whoever asks for it gets the smaller page`() async throws {
        let bench = try await FetchBench("replace")
        bench.web.answer("/", .page(page("t", words: 500)))
        try await bench.run(bench.fetch("/"))
        bench.web.answer("/", .page(page("t2", words: 20)))
        #expect(try await bench.run(bench.fetch("/")).candidate != nil)
        let item = try await bench.run(bench.fetch("/", merge: .replace))
        #expect(item.title == "t2" && item.candidate == nil && item.version == 2)
    }

    @Test func `metadata needs no body, and an article gets its own`() async throws {
        let bench = try await FetchBench("modes")
        bench.web.answer("/", answer(etag: "1", page("t", words: 50), "Cache-Control: max-age=60"))
        let plain = try await bench.run(bench.fetch("/", mode: .metadata, force: false))
        #expect(plain.title == "t" && !plain.hasBody)
        let article = try await bench.run(bench.fetch("/", force: false))
        #expect(article.hasBody && article.version == 2)
        #expect(bench.web.requests("/").count == 2)
        // And later metadata doesn't take it away.
        bench.web.answer("/", answer(etag: "2", page("t2", words: 60)))
        let later = try await bench.run(bench.fetch("/", mode: .metadata))
        #expect(later.title == "t2" && later.hasBody)
    }

    @Test func `a check run that passes by changes no content`() async throws {
        let bench = try await FetchBench("passing")
        bench.web.answer("/", answer(etag: "1", page("t", words: 500)))
        try await bench.run(bench.fetch("/", force: false))
        bench.web.answer("/", answer(etag: "2", page("small", words: 20)))
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.checksForeign = false
        options.allowedAddresses = ["127.0.0.1"]
        try await bench.working { [options] in
            let run = try await bench.fixture.check.start(url: bench.web.url + "/", options)
            _ = try await bench.fixture.check.wait(run, every: .milliseconds(20))
        }
        let item = try #require(try await bench.items.item(url: bench.web.url + "/"))
        #expect(item.title == "t" && item.hasBody && item.version == 1)
        // What it saw is not what is kept: nothing is asked for by its validator.
        let next = try await bench.run(bench.fetch("/", force: false))
        #expect(bench.web.requests("/").last?["If-None-Match"] == nil)
        #expect(next.candidate?.reason == "shrunk")
    }
}
