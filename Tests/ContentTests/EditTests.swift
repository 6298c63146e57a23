import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// People and fetches at the same item, at the same time. Real PostgreSQL, a real server that holds
/// its answer back.
@Suite(.serialized) struct EditTests {
    @Test func `an edit stays, with its name and time, until it is cleared`() async throws {
        let bench = try await FetchBench("edit")
        bench.web.answer("/", .page(page("theirs", words: 50)))
        let item = try await bench.run(bench.fetch("/"))
        let edit = ItemEdit([.title: "mine"], by: "ada")
        let edited = try #require(try await bench.items.edit(.id(item.id), edit))
        let field = try #require(edited.fields.first { $0.name == .title })
        #expect(field.value == "mine" && field.source == .person && field.setBy == "ada")
        #expect(field.fetch == nil && abs(field.setAt.timeIntervalSinceNow) < 60)
        bench.web.answer("/", .page(page("newer", words: 60)))
        let fetched = try await bench.run(bench.fetch("/"))
        #expect(fetched.title == "mine" && fetched.version == 3 && fetched.hasBody)
        let versions = try await bench.items.versions(of: fetched)
        #expect(versions.map(\.madeBy) == [nil, "ada", nil])
        #expect(versions[1].changed == ["title"] && versions[1].body == versions[2].body)
        let clear = ItemEdit(clearing: [.title], by: "ada")
        _ = try await bench.items.edit(.url(item.url), clear)
        #expect(try await bench.run(bench.fetch("/")).title == "newer")
    }

    @Test(
        arguments: [
            (ItemEdit(by: "ada"), "nothing to edit"),
            (ItemEdit([.title: " "], by: "ada"), "title is empty"),
            (ItemEdit([.published: "soon"], by: "ada"), "published is \"soon\""),
            (ItemEdit([.image: "ftp://x"], by: "ada"), "only http and https"),
            (ItemEdit([.title: "a"], clearing: [.title], by: "ada"), "both set and cleared"),
            (ItemEdit([.title: "a\0b"], by: "ada"), "NUL"),
            (ItemEdit([.title: String(repeating: "a", count: 5000)], by: "ada"), "at most 4096"),
        ])
    func `what can't be set is refused in one line`(edit: ItemEdit, words: String) async throws {
        let bench = try await FetchBench("bad-edit")
        do {
            _ = try await bench.items.edit(.url("https://a.test/"), edit)
            Issue.record("not refused: \(words)")
        } catch let error as ContentError {
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test func `an item edited while its fetch runs keeps the edit, and gets the rest`()
        async throws
    {
        let bench = try await FetchBench("edit-race")
        bench.web.answer("/", .page(page("one", words: 50)))
        let item = try await bench.run(bench.fetch("/"))
        let gate = Gate()
        var held = LocalWeb.Answer.page(page("two", words: 60))
        held.gate = gate
        bench.web.answer("/", held)
        try await bench.working(firstByte: .seconds(60)) {
            let job = try await bench.enqueue(bench.fetch("/"))
            try await gate.reached()
            _ = try await bench.items.edit(.id(item.id), ItemEdit([.title: "mine"], by: "ada"))
            gate.open()
            #expect(try await bench.ended(job).state == "completed")
        }
        let after = try #require(try await bench.items.item(url: item.url))
        #expect(after.title == "mine" && after.words == 60 && after.version == 3)
        #expect(after.outcome == .stored)
        let versions = try await bench.items.versions(of: after)
        #expect(versions.map(\.changed) == [["text", "body"], ["title"], versions[2].changed])
    }

    @Test(arguments: [200, 304, 404, 500, 410])
    func `an item deleted while its fetch runs stays deleted`(status: Int) async throws {
        let bench = try await FetchBench("delete-race")
        bench.web.answer("/", .page(page("one", words: 50), "ETag: \"1\""))
        let item = try await bench.run(bench.fetch("/"))
        let gate = Gate()
        var held =
            status == 200
            ? LocalWeb.Answer.page(page("two", words: 60)) : LocalWeb.Answer.status(status)
        held.gate = gate
        bench.web.answer("/", held)
        let job = try await bench.working(firstByte: .seconds(60)) {
            let job = try await bench.enqueue(bench.fetch("/", force: false))
            try await gate.reached()
            for table in ["item_field", "version", "fetch_run", "reference", "anchor"] {
                try await bench.pool.query("DELETE FROM content.\(table)")
            }
            try await bench.pool.query("DELETE FROM content.item")
            gate.open()
            #expect(try await bench.ended(job).state == "completed")
            return job
        }
        #expect(try await bench.items.item(url: item.url) == nil)
        for table in ["item", "item_field", "version", "candidate", "fetch_run", "reference"] {
            let rows = try await bench.value(
                "SELECT count(*) FROM content.\(table)", as: Int64.self)
            #expect(rows == 0, "\(table)")
        }
        let outcome = try await bench.pool.query(
            "SELECT result ->> 'outcome' FROM tenure.job_history WHERE id = $1", [job.uuid]
        ) { try $0.decode(0, as: String?.self) }
        #expect(outcome == ["itemDeleted"])
    }

    @Test func `an item deleted and made anew meanwhile is not the one that was fetched`()
        async throws
    {
        let bench = try await FetchBench("remade")
        bench.web.answer("/", .page(page("one", words: 50)))
        try await bench.run(bench.fetch("/"))
        let gate = Gate()
        var held = LocalWeb.Answer.page(page("two", words: 60))
        held.gate = gate
        bench.web.answer("/", held)
        try await bench.working(firstByte: .seconds(60)) {
            let job = try await bench.enqueue(bench.fetch("/"))
            try await gate.reached()
            try await bench.pool.query("DELETE FROM content.item_field")
            try await bench.pool.query("DELETE FROM content.version")
            try await bench.pool.query(
                "UPDATE content.item SET created_at = clock_timestamp(), version = 0, title = 'new'"
            )
            gate.open()
            _ = try await bench.ended(job)
        }
        let item = try #require(try await bench.items.item(url: bench.web.url + "/"))
        #expect(item.title == "new" && item.version == 0)
    }

    @Test func `the slower of two fetches, asked earlier, replaces nothing`() async throws {
        let bench = try await FetchBench("older")
        let gate = Gate()
        var held = LocalWeb.Answer.page(
            page("old", words: 50, head: "<meta name=author content=Ada>"))
        held.gate = gate
        bench.web.answer("/", held)
        try await bench.working(firstByte: .seconds(60)) {
            let slow = try await bench.enqueue(bench.fetch("/", mode: .metadata))
            try await gate.reached()
            bench.web.answer("/", .page(page("new", words: 60)))
            _ = try await bench.ended(bench.enqueue(bench.fetch("/")))
            gate.open()
            _ = try await bench.ended(slow)
        }
        let item = try #require(try await bench.items.item(url: bench.web.url + "/"))
        #expect(item.title == "new" && item.words == 60 && item.hasBody)
        // What the newer one lacked, it fills.
        #expect(item[.authors] == "Ada" && item.version == 2 && item.code == "older")
    }
}
