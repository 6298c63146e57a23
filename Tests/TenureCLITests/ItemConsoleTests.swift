import Foundation
import Tenure
import TestSupport
import Testing

/// What the console shows of items: lists of them by their words, and what is different in them.
@Suite struct ItemConsoleTests {
    @Test func `a version is compared with the one before, or with another`() async throws {
        let web = try LocalWeb()
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
            let text = "One two three four five.%0A%3Cscript%3Ealert(1)%3C%2Fscript%3E%0Aend"
            #expect(try desk.post("/items/\(id)/edit", "title=b&text=\(text)").status == 200)
            #expect(try desk.post("/items/\(id)/edit", "title=c&text=end").status == 200)
            let path = "/items/\(id)/versions"
            #expect(try desk.get("/items/\(id)", "text/html").body.contains("href=\"\(path)/3\""))
            let page = try desk.get("\(path)/3", "text/html").body
            let script = "&lt;script&gt;alert(1)&lt;/script&gt;</del>"
            #expect(page.contains("removed: </span>\(script)") && !page.contains("<script>"))
            #expect(page.contains("added: </span>c</ins>") && page.contains("2 lines removed, 0"))
            let json = try JSONSerialization.jsonObject(
                with: Data(try desk.get("\(path)/1?from=3").body.utf8))
            let compared = try #require(json as? [String: Any])
            #expect((compared["other"] as? [String: Any])?["number"] as? Int == 3)
            let changes = (compared["lines"] as? [[String: Any]])?.map { $0["change"] as? String }
            #expect(changes == ["removed", "added"])
            #expect(try desk.get("\(path)/2?from=2", "text/html").body.contains("same in both"))
            #expect(try desk.get("\(path)/1", "text/html").body.contains("it is the first"))
            for (query, status) in [
                ("0", 404), ("x", 404), ("4", 404), ("99999999999", 404), ("2?from=9", 404),
                ("2?from=x", 400), ("2?from=-1", 400), ("2?from=%00", 400), ("%3Cscript%3E", 404),
            ] {
                let answer = try desk.get("\(path)/\(query)")
                #expect(answer.status == status, "\(query): \(answer)")
            }
            // Too large: that is said, and no more is read.
            try await desk.fixture.pool.simple(
                """
                UPDATE content.version SET fields = jsonb_set(
                    fields, '{text,value}', to_jsonb(repeat('x', 1048577))) WHERE number = 2
                """)
            let large = try desk.get("\(path)/3")
            #expect(large.status == 200 && large.body.contains("more than 1 MiB"), "\(large)")
            #expect(large.body.count < 1000)
        }
    }

    @Test func `items are found by words once that is on, and said to be off before`() async throws
    {
        let web = try LocalWeb()
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
            #expect(try desk.post("/items/\(id)/edit", "title=Fox&text=one+den").status == 200)
            let off = try desk.get("/items?words=fox", "text/html")
            #expect(off.status == 400 && off.body.contains("tenure item words on"), "\(off)")
            _ = try await desk.fixture.tenure.run("item", "words", "on")
            for (words, isFound) in [
                ("fox", true), ("den", true), ("fox+-den", true), ("elk", false),
            ] {
                let page = try desk.get("/items?words=\(words)", "text/html").body
                #expect(page.contains("/items/\(id)") == isFound, "\(words): \(page)")
            }
            let none = try desk.get("/items?words=%22", "text/html")
            #expect(none.status == 400 && none.body.contains("no word"), "\(none)")
            #expect(try desk.get("/items?words=", "text/html").body.contains("/items/\(id)"))
        }
    }

    @Test func `a candidate is taken, or refused, by who has seen that one`() async throws {
        let web = try LocalWeb()
        try await ConsoleDesk.open { desk in
            let id = try await desk.fetched(web)
            #expect(try !desk.get("/items/\(id)", "text/html").body.contains("/items/\(id)/take"))
            #expect(try desk.post("/items/\(id)/refuse", "").status == 404)
            let fetch = "01920000-0000-7000-8000-000000000000"
            try await desk.fixture.pool.simple(
                """
                INSERT INTO content.candidate (item, fetch_id, words, reason, fields)
                VALUES ('\(id)', '\(fetch)', 3, 'shrunk', '{}')
                """)
            let page = try desk.get("/items/\(id)", "text/html").body
            #expect(page.contains("/items/\(id)/take") && page.contains(fetch))
            let other = "01920000-0000-7000-8000-000000000001"
            #expect(try desk.post("/items/\(id)/refuse", "fetch=\(other)").status == 404)
            #expect(try desk.post("/items/\(id)/refuse", "fetch=x").status == 404)
            #expect(try desk.post("/items/\(id)/refuse", "fetch=\(fetch)").status == 200)
            let refused = try desk.get("/items/\(id)", "text/html").body
            #expect(refused.contains("refused by") && !refused.contains("/items/\(id)/refuse"))
            #expect(try !desk.get("/items?doubted=1").body.contains(id))
            #expect(try desk.post("/items/\(id)/refuse", "fetch=\(fetch)").status == 409)
            #expect(try desk.post("/items/\(id)/take", "fetch=\(other)").status == 404)
            #expect(try desk.post("/items/\(id)/take", "fetch=\(fetch)").status == 200)
            let job = try await desk.fixture.value(
                "SELECT payload::text FROM tenure.job WHERE kind = 'content-fetch'", as: String.self
            )
            #expect(job.contains("replace") && job.contains("force"), "\(job)")
            #expect(try desk.post("/items/\(fetch)/take", "").status == 404)
            let deeds = try await desk.fixture.value(
                "SELECT string_agg(verb, ' ' ORDER BY at) FROM tenure.action", as: String.self)
            #expect(deeds.hasSuffix("refuse enqueue"), "\(deeds)")
            try await desk.fixture.pool.simple("UPDATE content.candidate SET reason = 'challenge'")
            #expect(try desk.post("/items/\(id)/take", "").status == 409)
            #expect(try !desk.get("/items/\(id)", "text/html").body.contains("/items/\(id)/take"))
            try await desk.fixture.pool.simple("DELETE FROM content.candidate")
            #expect(try desk.post("/items/\(id)/take", "").status == 404)
        }
    }

    @Test func `the lists of items and hosts come in parts`() async throws {
        try await ConsoleDesk.open { desk in
            try await desk.fixture.pool.simple(
                """
                INSERT INTO content.item (id, outcome, url, version, attempted_at)
                SELECT content.digest(u.href), 'stored', u.href, 1,
                       timestamptz '2026-01-01' + n / 9 * interval '1 us'
                FROM generate_series(1, 205) AS n, format('https://a.test/%s', n) AS u (href);
                INSERT INTO content.version (item, number, words, changed, fields)
                SELECT i.id, 1, 0, '{text}', '{"text": {"value": "red fox"}}' FROM content.item i;
                INSERT INTO tenure.lane (queue, name, set_at)
                SELECT 'default', 'host:h' || n, now() FROM generate_series(1, 205) AS n;
                """)
            for path in ["/items", "/hosts"] {
                var (next, count): (String?, [Int]) = (path, [])
                while let path = next, count.count < 9 {
                    let object = try JSONSerialization.jsonObject(
                        with: Data(try desk.get(path).body.utf8))
                    let part = try #require(object as? [String: Any])
                    count.append(try #require(part["rows"] as? [Any], "\(part)").count)
                    next = part["next"] as? String
                }
                #expect(count == [100, 100, 5], "\(path)")
            }
            for (path, why) in [
                ("/items?after=x", "after is"),
                ("/items?after=1.x", "after is"), ("/links?after=x", "after is"),
                ("/links?after=404+99+a", "after is"), ("/links?after=404+-1+a", "after is"),
                ("/hosts?skip=x", "skip is"), ("/sites?after=a&after=b", "given 2 times"),
                ("/links/ignore?after=x", "after is"),
                ("/items/01920000-0000-7000-8000-000000000000?after=x", "after is"),
            ] {
                let answer = try desk.get(path)
                #expect(answer.status == 400 && answer.body.contains(why), "\(path): \(answer)")
            }
        }
    }
}
