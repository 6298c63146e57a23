import Foundation
import Tenure
import TestSupport
import Testing

/// What editors do in the console, by a browser's or a program's POST.
@Suite struct EditorConsoleTests {
    /// What a browser sends of a page: its named fields, as they stand.
    private struct Form {
        var fields: [(name: String, value: String)] = []

        init(_ page: String) {
            let field = #/<(input|textarea)([^>]*) name="([^"]*)"([^>]*)>/#
            for match in page.matches(of: field) {
                var value = ""
                if match.1 == "textarea" {
                    let rest = page[match.range.upperBound...]
                    value = String(
                        rest[
                            ..<(rest.firstRange(of: "</textarea>")?.lowerBound
                                ?? rest.endIndex)])
                    // The first line end behind the tag is none of the text's.
                    if value.hasPrefix("\n") { value.removeFirst() }
                } else if let given = match.4.firstMatch(of: #/ value="([^"]*)"/#) {
                    value = String(given.1)
                }
                for (mark, text) in [
                    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
                ] { value = value.replacing(mark, with: text) }
                fields.append((String(match.3), value))
            }
        }

        static func encoded(_ text: String) -> String {
            text.utf8.map { String(format: "%%%02X", $0) }.joined()
        }
    }

    @Test func `an item is edited, and fetched again where that is cleared`() async throws {
        let web = try LocalWeb()
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
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
            for expected in [200, 409] {
                let answer = try desk.post("/items/\(id)/edit", "title=once")
                #expect(answer.status == expected, "\(answer)")
            }
            // Filled in before a fetch, or somebody, changed it: that would be set back.
            let now = try await desk.fixture.value(
                "SELECT version::text FROM content.item", as: String.self)
            #expect(form.contains(#"name="version" value="1""#) && now != "1")
            for (body, why) in [
                ("title=old&version=1", "by now"), ("", "nothing to edit"),
                ("published=noon", "give a time"), ("description=", "clear it instead"),
                ("title=%20", "clear it instead"), ("image=javascript%3Aalert", "javascript"),
            ] {
                let refused = try desk.post("/items/\(id)/edit", body)
                #expect(refused.status == 400 && refused.body.contains(why), "\(body): \(refused)")
            }
            let nobody = "01920000-0000-7000-8000-000000000000"
            #expect(try desk.post("/items/\(nobody)/edit", "title=a").status == 404)
        }
    }

    /// What a person leaves as the form shows it stays as it is: none of it is taken for theirs.
    @Test func `a form that comes back as it went out changes nothing but what was changed`()
        async throws
    {
        let web = try LocalWeb()
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
            let odd = "\na\tb <pre> & \"c\" 'd'\n\u{2764}\u{FE0F}\u{1F468}\u{200D}\u{1F469}\n\ne"
            let fields = [
                "text": odd, "title": String(repeating: "t\u{0301} ", count: 1500),
                "image": "https://cdn.example/x.png?sig=abc", "siteName": "a\u{202E}b",
                "excerpt": String(repeating: "\u{6F22}", count: 30_000), "authors": "a\nb",
            ]
            for (name, value) in fields {
                try await desk.fixture.pool.simple(
                    """
                    INSERT INTO content.item_field (
                        item, name, value, source, asked_at, set_at, set_by)
                    VALUES ('\(id)', '\(name)', $x$\(value)$x$, 'person', now(), now(), 'ann')
                    ON CONFLICT (item, name) DO UPDATE
                    SET value = EXCLUDED.value, source = 'person', set_by = 'ann'
                    """)
            }
            let form = Form(try desk.get("/items/\(id)/edit", "text/html").body)
            // Not to be edited here: it would come back as something else.
            let names = Set(form.fields.map(\.name))
            #expect(names.isDisjoint(with: ["image", "siteName", "authors"]), "\(names)")
            #expect(names.isSuperset(of: ["text", "title", "excerpt", "description", "version"]))
            let sent = form.fields.filter { !$0.name.hasPrefix("clear-") }.map { field in
                let value = field.name == "description" ? "mine" : field.value
                return "\(field.name)=\(Form.encoded(value.replacing("\n", with: "\r\n")))"
            }
            let saved = try desk.post("/items/\(id)/edit", sent.joined(separator: "&"))
            try #require(saved.status == 200, "\(saved)")
            let changed = try await desk.fixture.value(
                """
                SELECT changed::text FROM content.version WHERE made_by IS NOT NULL
                ORDER BY number DESC LIMIT 1
                """, as: String.self)
            #expect(changed == "{description}")
            for (name, value) in fields {
                let kept = try await desk.fixture.value(
                    "SELECT value FROM content.item_field WHERE name = '\(name)'", as: String.self)
                #expect(kept == value, "\(name)")
            }
        }
    }

    @Test func `findings are ignored with a reason, and count again`() async throws {
        try await ConsoleDesk.open { desk in
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
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
            web.answer("/b", .page("<title>b</title><p><a href='/a'>to a</a>", "X-Of: test"))
            _ = try await desk.tenure.run("fetch", web.url + "/b", "--wait")
            #expect(try desk.post("/impact/delete", "urls=\(id)").status == 409)
            #expect(try desk.get("/items/\(id)").status == 200)
            #expect(try desk.post("/impact/delete-all", "urls=\(id)").status == 200)
            #expect(try desk.get("/items/\(id)").status == 404)
            #expect(try desk.post("/impact/delete", "urls=").status == 400)
            // As the page's own button sends it: two of them.
            let two = [id, try await desk.item(web.url + "/b")]
            _ = try await desk.tenure.run("fetch", web.url + "/a", "--wait")
            let both = [web.url + "/a", web.url + "/b"].map { Form.encoded($0) }
            let page = try desk.get("/impact?urls=\(both.joined(separator: "%0A"))", "text/html")
            let named = Form(page.body).fields.filter { $0.name == "urls" && $0.value.count == 36 }
            #expect(named.count == 2, "\(page.body)")
            let sent = named.map { "urls=\($0.value)" }.joined(separator: "&")
            #expect(try desk.post("/impact/delete-all", sent).status == 200)
            #expect(try desk.get("/items/\(two[1])").status == 404)
            let many = Array(repeating: id, count: 101).joined(separator: "%0A")
            #expect(try desk.post("/impact/delete", "urls=\(many)").status == 400)
        }
    }
}
