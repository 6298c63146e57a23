import Tenure
import TenureFoundation
import Testing

@testable import Content

/// Which live items depend on others, against a model that was written apart.
@Suite struct ImpactTests {
    private func store(_ model: ImpactModel, seed: UInt64, _ pool: PostgresPool) async throws {
        try await pool.simple(
            "DELETE FROM content.reference; DELETE FROM content.target; DELETE FROM content.item")
        var random = Seeded(seed ^ 0xFF)
        for node in model.nodes {
            // Three ways of not being live.
            let way = node.isLive ? 0 : Int.random(in: 1...3, using: &random)
            let state = node.next != nil && way != 3 ? "redirected" : way == 3 ? "broken" : "ok"
            let next = node.next.map { model.nodes[$0].url }
            try await pool.query(
                """
                WITH item AS (
                    INSERT INTO content.item (id, url, outcome, seen_at)
                    SELECT content.digest($1), $1,
                           CASE WHEN $2::int4 = 1 THEN 'gone' ELSE 'stored' END,
                           CASE WHEN $2 <> 2 THEN now() - $3::interval END)
                INSERT INTO content.target (id, href, state, next_href)
                SELECT content.digest($1), $1, $4, $5
                """,
                [
                    node.url, Int32(way), node.isFresh ? Duration.zero : .seconds(3 * 86_400),
                    state, state == "redirected" ? next : nil,
                ])
        }
        for edge in model.edges {
            try await pool.query(
                """
                INSERT INTO content.reference (
                    item, target, ordinal, line, "column", kind, strength, raw)
                SELECT content.digest($1), content.digest($2), $3, $3, 1, 'image', $4, 'x'
                """,
                [
                    model.nodes[edge.page].url, model.nodes[edge.target].url, Int32(edge.ordinal),
                    edge.isHard ? "hard" : "soft",
                ])
        }
    }

    /// A node that is broken leads nowhere.
    private func known(_ model: ImpactModel, seed: UInt64) -> ImpactModel {
        var model = model
        var random = Seeded(seed ^ 0xFF)
        for number in model.nodes.indices where !model.nodes[number].isLive {
            if Int.random(in: 1...3, using: &random) == 3 { model.nodes[number].next = nil }
        }
        return model
    }

    @Test func `verdicts and places are those of the model, whatever the graph`() async throws {
        let fixture = try await ContentFixture("impact")
        let count = ProcessInfo.processInfo.environment["TENURE_IMPACT_GRAPHS"].flatMap(UInt64.init)
        var tally = Tally()
        for seed in 1...(count ?? 40) {
            var random = Seeded(seed)
            let graph = ImpactModel.random(&random)
            try await store(graph, seed: seed, fixture.pool)
            let model = known(graph, seed: seed)
            for ask in 0..<6 {
                let many = Int.random(in: 1...model.nodes.count, using: &random)
                let asked = Set(
                    ask == 0
                        ? Array(model.nodes.indices)
                        : Array(model.nodes.indices.shuffled(using: &random).prefix(many)))
                try await compare(model, asked, seed, fixture.pool, &tally)
            }
        }
        // Else it has shown nothing; nor without items that stay only because of others that do.
        #expect(tally.chained > 5, "\(tally)")
        for verdict in ItemImpact.Verdict.allCases {
            #expect(tally.verdicts[verdict, default: 0] > 20, "\(tally)")
        }
    }

    private struct Tally {
        var verdicts: [ItemImpact.Verdict: Int] = [:]
        /// Unsafe by what is asked about itself, alone.
        var chained = 0
    }

    private func compare(
        _ model: ImpactModel, _ asked: Set<Int>, _ seed: UInt64, _ pool: PostgresPool,
        _ tally: inout Tally
    ) async throws {
        var options = ImpactOptions()
        options.maxAge = .seconds(86_400)
        options.places = 1000
        let found = try await Impact(pool: pool).of(
            asked.sorted().map { .url(model.nodes[$0].url) }, options)
        let wanted = model.answers(for: asked)
        #expect(found.map(\.url) == asked.sorted().map { model.nodes[$0].url })
        for (impact, item) in zip(found, asked.sorted()) {
            let answer = ImpactModel.Answer(
                verdict: impact.verdict, places: Set(impact.places.map { "\($0.page):\($0.line)" }),
                hard: impact.hardCount)
            tally.verdicts[impact.verdict, default: 0] += 1
            let hasOwnReason = impact.places.contains { place in
                place.isHard && !asked.contains { model.nodes[$0].url == place.page }
            }
            tally.chained += impact.verdict == .unsafe && !hasOwnReason ? 1 : 0
            #expect(answer == wanted[item], "seed \(seed), asked \(asked.sorted()), item \(item)")
            #expect(impact.placeCount == impact.places.count)
        }
    }

    /// A part of the statement, and what it is without.
    private static let parts = [
        "what others keep": ("WHERE t.is_asked\n", "WHERE false\n"),
        "redirects": ("t.state IN ('redirected', 'moved')", "false"),
        "the age of edges": ("AS is_sure,", "IS NOT NULL AS is_sure,"),
        "gone pages": ("i.outcome <> 'gone'\n      AND NOT EXISTS", "NOT EXISTS"),
        "broken pages": ("t.id = i.id AND t.state = 'broken')\n), unseen", "false)\n), unseen"),
        "sites that nobody looks at": ("k.url IS NULL\n           OR ", "k.url IS NULL AND "),
        "what goes along": ("WHERE NOT e.is_asked OR", "WHERE true OR"),
        "soft edges": ("WHERE (e.is_hard OR", "WHERE (true OR"),
        "old soft edges": ("OR NOT e.is_sure AND e.item NOT IN", "OR false AND e.item NOT IN"),
        "newer edges": ("o.is_sure AND NOT o.is_asked", "false"),
    ]

    @Test(arguments: parts.keys.sorted())
    func `a statement without one of its parts is noticed`(_ name: String) async throws {
        let (part, without) = try #require(Self.parts[name])
        let sql = FindDependents.sql.replacing(part, with: without)
        try #require(sql != FindDependents.sql)
        let fixture = try await ContentFixture("part")
        var differences = 0
        for seed in 1...UInt64(200) where differences == 0 {
            var random = Seeded(seed)
            let graph = ImpactModel.random(&random)
            try await store(graph, seed: seed, fixture.pool)
            let model = known(graph, seed: seed)
            let asked = model.nodes.indices.filter { _ in Bool.random(using: &random) }
            let ids = asked.map { Digest.id(of: model.nodes[$0].url) }
            let rows = try await fixture.pool.query(
                sql, [ids, Duration.seconds(86_400), Int64(1000)], decode: FindDependents.decode)
            let found = ItemImpact.group(rows, in: ids, places: 1000)
            let wanted = model.answers(for: Set(asked))
            differences += zip(found, asked).count { impact, item in
                impact.verdict != wanted[item]?.verdict
                    || impact.placeCount != wanted[item]?.places.count
            }
        }
        #expect(differences > 0)
    }

    @Test func `circles alone are safe together, and not one by one`() async throws {
        let fixture = try await ContentFixture("circle")
        var model = ImpactModel()
        model.nodes = (0..<3).map { .init(url: "https://a.test/\($0)", site: 0) }
        model.edges = (0..<3).map {
            .init(page: $0, target: ($0 + 1) % 3, ordinal: 1, isHard: true)
        }
        try await store(model, seed: 1, fixture.pool)
        let all = model.nodes.map { ItemName.url($0.url) }
        let impact = Impact(pool: fixture.pool)
        #expect(try await impact.of(all).map(\.verdict) == [.safe, .safe, .safe])
        #expect(try await impact.of([all[0]]).map(\.verdict) == [.unsafe])
        // One that has to stay keeps those that it breaks without, all the way around.
        model.nodes.append(.init(url: "https://a.test/3", site: 0))
        model.edges.append(.init(page: 3, target: 0, ordinal: 1, isHard: true))
        try await store(model, seed: 1, fixture.pool)
        #expect(try await impact.of(all).map(\.verdict) == [.unsafe, .unsafe, .unsafe])
    }

    @Test func `old edges alone prove nothing, hard or soft`() async throws {
        let fixture = try await ContentFixture("old")
        var model = ImpactModel()
        model.nodes = (0..<4).map { .init(url: "https://a.test/\($0)", site: 0) }
        model.edges = (1...2).map { .init(page: $0, target: 0, ordinal: 1, isHard: false) }
        var options = ImpactOptions()
        options.maxAge = .seconds(86_400)
        let cases: [([Int], ItemImpact.Verdict)] = [
            ([], .safeWithRedirect), ([1], .safeWithRedirect), ([1, 2], .unknown),
        ]
        for (old, verdict) in cases {
            for page in 1...2 { model.nodes[page].isFresh = !old.contains(page) }
            try await store(model, seed: 1, fixture.pool)
            let item = ItemName.url("https://a.test/0")
            let found = try await Impact(pool: fixture.pool).of([item], options)
            #expect(found.map(\.verdict) == [verdict] && found[0].placeCount == 2)
        }
    }

    @Test func `places are limited, and counted all the same`() async throws {
        let fixture = try await ContentFixture("places")
        var model = ImpactModel()
        model.nodes = (0..<9).map { .init(url: "https://a.test/\($0)", site: 0) }
        model.edges = (1..<9).map {
            .init(page: $0, target: 0, ordinal: $0, isHard: $0 == 7)
        }
        try await store(model, seed: 1, fixture.pool)
        var options = ImpactOptions()
        for most in [0, 3, 100] {
            options.places = most
            let found = try await Impact(pool: fixture.pool).of([.url("https://a.test/0")], options)
            #expect(found[0].placeCount == 8 && found[0].hardCount == 1)
            #expect(found[0].places.count == min(most, 8))
            #expect(most == 0 || found[0].places[0].isHard)
        }
        let strange = try await Impact(pool: fixture.pool).of([.url("https://none.test/")])
        #expect(strange.map(\.verdict) == [.unknown] && strange[0].url == nil)
    }
}
