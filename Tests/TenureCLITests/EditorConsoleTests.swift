import Foundation
import TestSupport
import Testing

/// What editors do in the console, by a browser's or a program's POST.
@Suite struct EditorConsoleTests {
    private static let token = String(repeating: "t", count: 40)

    private struct Desk {
        let fixture: Fixture
        let tenure: Command
        let port: UInt16
        let console: RunningCommand

        func get(_ path: String, _ form: String = "application/json") throws -> Scrape.Answer {
            try #require(
                Scrape.get(
                    port, path,
                    ["Authorization: Bearer \(EditorConsoleTests.token)", "Accept: \(form)"]))
        }

        func post(_ path: String, _ body: String) throws -> Scrape.Answer {
            try #require(
                Scrape.post(
                    port, path, body,
                    [
                        "Authorization: Bearer \(EditorConsoleTests.token)",
                        "Accept: application/json",
                    ]))
        }
    }

    private func desk(_ body: (Desk) async throws -> Void) async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let port = UInt16.random(in: 30_000...32_000)
        let console = try tenure.with("TENURE_WEB_TOKEN", Self.token)
            .start("web", "--port", "\(port)")
        for _ in 0..<500 where Scrape.get(port, "/") == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await body(Desk(fixture: fixture, tenure: tenure, port: port, console: console))
        console.send(SIGTERM)
        _ = try await console.result()
    }

    private func fetched(_ web: LocalWeb, _ desk: Desk) async throws -> String {
        web.answer("/a", .page("<title>theirs</title><p>One two three four five.", "X-Of: test"))
        let item = try await desk.tenure.run("fetch", web.url + "/a", "--wait", "--json").object()
        return try #require(item["id"] as? String)
    }

    @Test func `an item is edited, and fetched again where that is cleared`() async throws {
        let web = try LocalWeb()
        try await desk { desk in
            let id = try await fetched(web, desk)
            let form = try desk.get("/items/\(id)/edit", "text/html").body
            #expect(form.contains(#"name="title" value="theirs""#), "\(form)")
            // As a browser sends it: all fields, and line ends of its own.
            let body = "title=mine&text=One+two+three+four+five.&description=a%0D%0Ab"
            #expect(try desk.post("/items/\(id)/edit", body).status == 200)
            let shown = try desk.get("/items/\(id)").body
            #expect(shown.contains("\"mine\"") && shown.contains(#""a\nb""#), "\(shown)")
            let versions = try await desk.fixture.value(
                "SELECT string_agg(changed::text, ' ' ORDER BY number) FROM content.version "
                    + "WHERE made_by IS NOT NULL", as: String.self)
            #expect(versions == "{description,title}")
            let cleared = try desk.post("/items/\(id)/edit", "clear-title=1&title=mine")
            #expect(cleared.status == 200)
            // Filled in before a fetch, or somebody, changed it: that would be set back.
            let now = try await desk.fixture.value(
                "SELECT version::text FROM content.item", as: String.self)
            #expect(form.contains(#"name="version" value="1""#) && now != "1")
            for (body, why) in [
                ("title=old&version=1", "by now"), ("", "nothing to edit"),
                ("published=noon", "give a time"),
                ("title=%20", "clear it instead"), ("image=javascript%3Aalert", "javascript"),
            ] {
                let refused = try desk.post("/items/\(id)/edit", body)
                #expect(refused.status == 400 && refused.body.contains(why), "\(body): \(refused)")
            }
            let nobody = "01920000-0000-7000-8000-000000000000"
            #expect(try desk.post("/items/\(nobody)/edit", "title=a").status == 404)
        }
    }

    @Test func `findings are ignored with a reason, and count again`() async throws {
        try await desk { desk in
            let body = "target=https%3A%2F%2Fold.example%2F*&reason=they+move&code=404"
            #expect(try desk.post("/links/ignore", body).status == 200)
            let rules = try desk.get("/links/ignore").body
            #expect(rules.contains("they move") && rules.contains("old.example"))
            for (body, why) in [
                ("target=a", "because is empty"), ("reason=a", "targets is empty"),
                ("target=a&reason=b&until=2027-02-30", "give a day"),
                ("target=a&reason=b&until=2020-01-01", "a day to come"),
            ] {
                let refused = try desk.post("/links/ignore", body)
                #expect(refused.status == 400 && refused.body.contains(why), "\(body): \(refused)")
            }
            let number = try await desk.fixture.value(
                "SELECT id::text FROM content.ignore_rule", as: String.self)
            #expect(try desk.post("/links/unignore", "rule=\(number)").status == 200)
            #expect(try desk.post("/links/unignore", "rule=\(number)").status == 409)
            #expect(try desk.post("/links/unignore", "rule=x").status == 400)
            let acts = try desk.get("/actions").body
            #expect(acts.contains("ignore rule") && acts.contains("console"))
        }
    }

    @Test func `an item goes where nobody depends on it, and else only whatever breaks`()
        async throws
    {
        let web = try LocalWeb()
        try await desk { desk in
            let id = try await fetched(web, desk)
            web.answer("/b", .page("<title>b</title><p><a href='/a'>to a</a>", "X-Of: test"))
            _ = try await desk.tenure.run("fetch", web.url + "/b", "--wait")
            #expect(try desk.post("/impact/delete", "urls=\(id)").status == 409)
            #expect(try desk.get("/items/\(id)").status == 200)
            #expect(try desk.post("/impact/delete-all", "urls=\(id)").status == 200)
            #expect(try desk.get("/items/\(id)").status == 404)
            #expect(try desk.post("/impact/delete", "urls=").status == 400)
            let many = Array(repeating: id, count: 101).joined(separator: "%0A")
            #expect(try desk.post("/impact/delete", "urls=\(many)").status == 400)
        }
    }
}
