import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

@testable import Content

/// Which versions of items go.
@Suite struct VersionRetentionTests {
    private static var kept: ContentRetention {
        var kept = ContentRetention()
        kept.versions = .seconds(30 * 86_400)
        kept.versionsPerItem = 5
        return kept
    }

    @Test func `a version goes so long after another took its place, and the newest never`()
        async throws
    {
        let fixture = try await ContentFixture("versions")
        // In days ago. What was replaced lately stays, however old it is itself.
        try await add("old and young", made: [90, 60, 40, 20, 10], to: fixture)
        try await add("one that changed lately", made: [300, 1], to: fixture)
        try await add("never changed", made: [300], to: fixture)
        try await add("changed long ago", made: [300, 299], to: fixture)
        try await forget(fixture.pool)
        let left = try await left(fixture)
        #expect(
            left == [
                "changed long ago: 2", "never changed: 1", "old and young: 3 4 5",
                "one that changed lately: 1 2",
            ])
    }

    @Test func `of an item that changes often, so many stay`() async throws {
        let fixture = try await ContentFixture("many versions")
        try await add("often", made: Array(repeating: 1, count: 2500), to: fixture)
        try await add("few", made: [2, 1, 1, 1, 1], to: fixture)
        try await forget(fixture.pool)
        #expect(try await left(fixture) == ["few: 1 2 3 4 5", "often: 2496 2497 2498 2499 2500"])
    }

    @Test func `versions of an item that is being written wait for the next sweep`() async throws {
        let fixture = try await ContentFixture("locked item")
        try await add("held", made: [90, 60, 40], to: fixture)
        try await fixture.pool.transaction { transaction in
            _ = try await transaction.query("SELECT FROM content.item FOR NO KEY UPDATE")
            try await forget(fixture.pool)
        }
        #expect(try await left(fixture) == ["held: 1 2 3"])
        try await forget(fixture.pool)
        #expect(try await left(fixture) == ["held: 3"])
    }

    @Test func `numbers that nobody wrote keep no other item`() async throws {
        let fixture = try await ContentFixture("poisoned versions")
        try await add("well", made: [90, 60, 40], to: fixture)
        try await add("poisoned", made: [90, 60], to: fixture)
        try await fixture.pool.simple(
            """
            UPDATE content.version SET number = 2147483647, made_at = 'infinity'
            WHERE number = 2 AND item = content.digest('poisoned');
            INSERT INTO content.version (item, number, made_at, words, changed, fields)
            VALUES (content.digest('poisoned'), -2147483648, '-infinity', 0, '{}', '{}')
            """)
        try await forget(fixture.pool)
        #expect(try await left(fixture).contains("well: 3"))
    }

    @Test func `nobody forgets what is too young, or all versions`() async throws {
        let fixture = try await ContentFixture("young versions")
        var (short, none) = (Self.kept, Self.kept)
        short.versions = .seconds(3599)
        none.versionsPerItem = 0
        let bites = [short, none].map { ForgetVersions(kept: $0, share: SweepShare(hour: 0)) }
        for bite in bites {
            let error = await #expect(throws: PostgresError.self) {
                _ = try await fixture.pool.execute(bite)
            }
            #expect(error?.sqlState == "TN003")
        }
    }

    @Test func `two days' sweeps drop what an item was, and the body that only that had`()
        async throws
    {
        let bench = try await FetchBench("versions swept")
        for (number, words) in [200, 300, 400].enumerated() {
            bench.web.answer("/page", .page(page("Page \(number)", words: words)))
            try await bench.run(bench.fetch("/page"))
        }
        #expect(try await bench.value("SELECT count(*) FROM content.body", as: Int64.self) == 3)
        try await bench.pool.simple(
            "UPDATE content.version SET made_at = made_at - interval '3 days' * (40 - number)")
        var configuration = ContentConfiguration()
        // The second took the first one's place 114 days ago, the third the second's 111: that is
        // 113 and an hour at the end, whatever the hour of the item's share.
        configuration.retention.versions = .seconds(113 * 86_400 + 43_200)
        let clock = TestClock(pool: bench.pool)
        try await bench.fixture.withWorkers(configuration: configuration) {
            // The share of a body's hour may be over when its version goes: then the next day's.
            for _ in 0..<49 {
                try await clock.advance(by: .seconds(3600))
                let job = try await bench.fixture.client.enqueue(ContentSweep()).id
                #expect(try await bench.ended(job).state == "completed")
            }
        }
        let item = try #require(try await bench.items.item(url: bench.fetch("/page").url))
        #expect(try await bench.items.versions(of: item).map(\.number) == [3, 2])
        #expect(try await bench.value("SELECT count(*) FROM content.body", as: Int64.self) == 2)
        #expect(try await bench.items.file(.url(item.url)) != nil)
    }

    @Test func `a day's shares are all there is, each once`() {
        let shares = (0..<24).map(SweepShare.init)
        #expect(shares.first?.hashes.after == [])
        #expect(shares.first?.ids.after == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
        for (one, next) in zip(shares, shares.dropFirst()) {
            #expect(one.hashes.until == next.hashes.after)
            #expect(one.ids.until == next.ids.after)
        }
        #expect(shares.last?.hashes.until == [UInt8](repeating: 0xFF, count: 33))
        #expect(shares.last?.ids.until == UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
    }

    private func add(_ url: String, made: [Int], to fixture: ContentFixture) async throws {
        try await fixture.pool.query(
            """
            INSERT INTO content.item (id, url, outcome, version)
            VALUES (content.digest($1), $1, 'stored', $2)
            """, [url, Int32(made.count)])
        try await fixture.pool.query(
            """
            INSERT INTO content.version (item, number, made_at, words, changed, fields)
            SELECT content.digest($1), m.number, now() - m.days * interval '1 day', 0, '{}', '{}'
            FROM unnest($2::int[]) WITH ORDINALITY AS m (days, number)
            """, [url, made.map { Int32($0) }])
    }

    private func forget(_ pool: PostgresPool) async throws {
        for hour in 0..<24 {
            var bite = ForgetVersions(kept: Self.kept, share: SweepShare(hour: hour))
            while let last = try await pool.execute(bite)[0] { bite.after = last }
        }
    }

    private func left(_ fixture: ContentFixture) async throws -> [String] {
        try await fixture.pool.query(
            """
            SELECT i.url || ': ' || string_agg(v.number::text, ' ' ORDER BY v.number)
            FROM content.item i JOIN content.version v ON v.item = i.id GROUP BY i.url ORDER BY 1
            """
        ) { try $0.decode(0, as: String.self) }
    }
}
