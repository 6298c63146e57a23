import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// Items by the words of their titles and texts. Real PostgreSQL.
@Suite struct ItemWordsTests {
    private func titles(_ fixture: ContentFixture, _ words: String) async throws -> [String] {
        var filter = ItemFilter()
        filter.words = words
        return try await Items(pool: fixture.pool).list(filter).compactMap(\.title)
    }

    /// Items with a title and a text each, the first one tried last.
    private func add(_ items: [(String, String)], to fixture: ContentFixture) async throws {
        for (place, (title, text)) in items.enumerated() {
            let url = "https://a.test/\(place)-\(title.count)"
            let item = "content.digest('\(url)')"
            try await fixture.pool.simple(
                """
                INSERT INTO content.item (id, outcome, url, version, attempted_at)
                VALUES (\(item), 'stored', '\(url)', 1, now() - \(place) * interval '1 min');
                INSERT INTO content.item_field (item, asked_at, name, source, value)
                VALUES (\(item), now(), 'title', 'html', '\(title)'),
                       (\(item), now(), 'text', 'html', '\(text)'),
                       (\(item), now(), 'author', 'html', 'hidden');
                """)
        }
    }

    @Test func `items are found by words of title and text, once that is on`() async throws {
        let fixture = try await ContentFixture("item_words")
        let words = ItemWords(pool: fixture.pool)
        try await add(
            [
                ("Annual report", "The red fox of the year."), ("Draft", "Annual report, a draft."),
                ("Fuchs und Häuser", "Report the annual; straße-nah.\\n<b>R2-D2</b>"),
            ], to: fixture)
        let off = await #expect(throws: ContentError.self) { try await titles(fixture, "fox") }
        #expect(off?.description.contains("tenure item words on") == true)
        #expect(try await words.status().isOn == false)
        try await words.turnOn()
        try await words.turnOn()
        let status = try await words.status()
        #expect(status.isOn && !status.isUnfinished && status.bytes > 0)
        for (asked, found) in [
            ("FOX", ["Annual report"]), ("annual report", ["Annual report", "Draft", Self.german]),
            (#""annual report""#, ["Annual report", "Draft"]), ("häuser", [Self.german]),
            (#""annual report" -draft"#, ["Annual report"]),
            (
                "fox or straße",
                [
                    "Annual report", Self.german,
                ]
            ), ("hidden", []), ("r2-d2", [Self.german]), ("fox'; DROP TABLE x", []),
            (String(repeating: "a ", count: 500), ["Draft"]),
        ] {
            #expect(try await titles(fixture, asked) == found, "\(asked.prefix(50))")
        }
        for (asked, why) in [
            ("", "no word"), ("  ", "no word"), ("!?", "no word"), (#""""#, "no word"),
            ("-", "no word"), ("fox\0", "NUL"), (String(repeating: "a ", count: 501), "at most"),
        ] {
            let none = await #expect(throws: ContentError.self) { try await titles(fixture, asked) }
            #expect(none?.description.contains(why) == true, "\(asked)")
        }
        try await words.turnOff()
        try await words.turnOff()
        #expect(try await words.status().isOn == false)
    }

    private static let german = "Fuchs und Häuser"

    /// A vector has a mebibyte at most: a text of more would fail its fetch, for good.
    @Test(
        arguments: [
            "SELECT string_agg(chr(65536 + n % 60000), ' ')",
            "SELECT string_agg('https://a' || n || '.test/' || n, ' ')",
            "SELECT string_agg(md5(n::text) || '-' || md5((-n)::text), ' ')",
            "SELECT string_agg(chr(19968 + n % 20000), '-')",
            "SELECT string_agg(md5(n::text) || '@' || md5((-n)::text) || '.test', ' ')",
            "SELECT string_agg(n || '/' || md5(n::text), '/')",
            "SELECT repeat('x', count(*)::int * 10)",
        ])
    func `no text is too long for the index of words`(_ text: String) async throws {
        let fixture = try await ContentFixture("item_words_long")
        try await add([("Large", "small"), ("Other", "whatever")], to: fixture)
        try await ItemWords(pool: fixture.pool).turnOn()
        try await fixture.pool.simple(
            """
            UPDATE content.item_field SET value = 'beginning ' || (\(text)
                FROM generate_series(1, 150000) AS n)
            WHERE name = 'text' AND item = (SELECT item FROM content.item_field
                                            WHERE value = 'Large')
            """)
        #expect(try await titles(fixture, "beginning") == ["Large"])
    }

    @Test func `an index that was broken off is made anew`() async throws {
        let fixture = try await ContentFixture("item_words_broken")
        try await add([("Annual report", "The red fox.")], to: fixture)
        let words = ItemWords(pool: fixture.pool)
        try await fixture.pool.transaction { transaction in
            try await transaction.simple("UPDATE content.item_field SET set_at = set_at")
            // It waits for this transaction, and is broken off.
            let broken = Task { try await words.turnOn(within: .seconds(3)) }
            await #expect(throws: PostgresError.self) { try await broken.value }
        }
        let status = try await words.status()
        #expect(!status.isOn && status.isUnfinished)
        await #expect(throws: ContentError.self) { try await titles(fixture, "fox") }
        try await words.turnOn()
        #expect(try await titles(fixture, "fox") == ["Annual report"])
    }

    @Test func `an index that is being made is not dropped under those who make it`() async throws {
        let fixture = try await ContentFixture("item_words_made")
        try await add([("Annual report", "The red fox.")], to: fixture)
        let words = ItemWords(pool: fixture.pool)
        let making = try await fixture.pool.transaction { transaction in
            try await transaction.simple("UPDATE content.item_field SET set_at = set_at")
            // It waits for this transaction.
            let making = Task { try await words.turnOn() }
            let limit = ContinuousClock.now + .seconds(30)
            while try await !words.status().isMade {
                try #require(ContinuousClock.now < limit, "it is not being made")
                try await Task.sleep(for: .milliseconds(20))
            }
            for body in [words.turnOn, words.turnOff] {
                let busy = await #expect(throws: ContentError.self) { try await body(.seconds(9)) }
                #expect(busy?.code == .busy)
            }
            return making
        }
        try await making.value
        #expect(try await titles(fixture, "fox") == ["Annual report"])
    }

    /// By the index, whatever the tables' statistics say.
    @Test func `a search goes by the index of words`() async throws {
        let fixture = try await ContentFixture("item_words_plan")
        try await add([("Annual report", "The red fox.")], to: fixture)
        try await ItemWords(pool: fixture.pool).turnOn()
        let plan = try await fixture.pool.transaction { transaction in
            _ = try await transaction.execute(PlanByKeys())
            try await transaction.simple("PREPARE found AS \(FindItems.sql)")
            return try await transaction.query(
                "EXPLAIN EXECUTE found (NULL, NULL, false, 50, NULL, NULL, 'fox')"
            ) { try $0.decode(0, as: String.self) }
        }
        #expect(plan.contains { $0.contains("Bitmap Index Scan on item_field_words_1") }, "\(plan)")
    }

    @Test func `a list by words comes in parts`() async throws {
        let fixture = try await ContentFixture("item_words_parts")
        try await add((0..<7).map { ("Page \($0)", "red fox \($0)") }, to: fixture)
        try await ItemWords(pool: fixture.pool).turnOn()
        var filter = ItemFilter()
        (filter.words, filter.limit) = ("fox", 3)
        var found: [String] = []
        while true {
            let part = try await Items(pool: fixture.pool).list(filter)
            guard let last = part.last else { break }
            found += part.compactMap(\.title)
            filter.after = last.place
        }
        #expect(found == (0..<7).map { "Page \($0)" })
    }
}
