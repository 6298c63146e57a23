import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// What it costs to ask about a thousand items at once. `bin/test impact` does it over a million
/// edges and prints what docs/decisions/impact.md says.
@Suite struct ImpactSpeedTests {
    private let edges =
        ProcessInfo.processInfo.environment["TENURE_IMPACT_EDGES"].flatMap(Int.init)

    /// Pages with 20 references each, one in twenty of them hard; one target in fifty redirects;
    /// one page in ten is referred to by half of all references.
    private static let graph = """
        SELECT setseed(0.5);
        INSERT INTO content.item (id, url, outcome, seen_at, hash, title)
        SELECT content.digest(u), u, 'stored', now() - random() * interval '20 days',
               sha256(u::bytea), 'A title of some words'
        FROM (SELECT format('https://site%s.test/docs/part-%s/page-%s.html', n % 50, n / 100, n)
              FROM generate_series(1, PAGES) AS n) AS page (u);
        INSERT INTO content.target (id, href, state, checked_at)
        SELECT i.id, i.url, 'ok', now() FROM content.item i;
        CREATE TEMP TABLE place AS
        SELECT row_number() OVER (ORDER BY i.id)::int AS n, i.id, i.url FROM content.item i;
        CREATE UNIQUE INDEX ON place (n);
        ANALYZE place;
        INSERT INTO content.reference (
            item, target, ordinal, line, "column", kind, strength, raw, words)
        SELECT p.id, t.id, e.ordinal, e.ordinal * 3, 17,
               CASE WHEN e.is_hard THEN 'image' ELSE 'anchor' END,
               CASE WHEN e.is_hard THEN 'hard' ELSE 'soft' END,
               '../part-3/page-17.html', 'some words of a link'
        FROM (SELECT (g - 1) / 20 + 1 AS page, (g - 1) % 20 + 1 AS ordinal,
                     1 + floor(random() * CASE WHEN g % 2 = 0 THEN PAGES ELSE PAGES / 10 END)::int
                         AS goal,
                     random() < 0.05 AS is_hard
              FROM generate_series(1, PAGES * 20) AS g) AS e
        JOIN place p ON p.n = e.page JOIN place t ON t.n = e.goal;
        UPDATE content.target t
        SET state = 'redirected',
            next_href = (SELECT g.url FROM place g WHERE g.n = 1 + (p.n * 7919) % PAGES)
        FROM place p WHERE p.id = t.id AND p.n % 50 = 0;
        """

    @Test func `a thousand items are asked about in one statement, by index`() async throws {
        let server = try await TestPostgres.dedicated(settings: ["shared_buffers": "512MB"])
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(try await server.makeDatabase()), size: 2)
        try await Migrator(pool: pool, .content).up()
        let pages = (edges ?? 100_000) / 20
        try await pool.simple(
            Self.graph.replacing("PAGES", with: "\(pages)"), deadline: .seconds(600))
        for table in ["item", "target", "reference"] {
            try await pool.simple("VACUUM ANALYZE content.\(table)", deadline: .seconds(600))
        }
        for order in ["md5(url)", "id"] {
            let ids = try await pool.query(
                "SELECT id FROM content.item ORDER BY \(order) LIMIT $1", [Int64(1000)]
            ) { try $0.decode(0, as: UUID.self) }
            try await measure(ids, of: order, pool)
        }
    }

    private func measure(_ ids: [UUID], of order: String, _ pool: PostgresPool) async throws {
        let options = ImpactOptions()
        var times: [Double] = []
        var plans: [[String]] = []
        var answers: [Duration] = []
        let explain = "EXPLAIN (ANALYZE, TIMING OFF) \(FindDependents.sql)"
        for _ in 0..<(edges == nil ? 1 : 15) {
            let plan = try await pool.transaction { transaction in
                _ = try await transaction.execute(PlanDependents())
                return try await transaction.query(
                    explain, [ids, options.maxAge, Int64(options.places)]
                ) { try $0.decode(0, as: String.self) }
            }
            plans.append(plan)
            times += plan.compactMap { line in
                line.hasPrefix("Execution Time: ")
                    ? Double(line.dropFirst(16).prefix { $0 != " " }) : nil
            }
            let start = ContinuousClock.now
            let found = try await Impact(pool: pool).of(ids.map { .id($0) }, options)
            answers.append(ContinuousClock.now - start)
            #expect(found.count == ids.count)
        }
        let plan = plans[plans.count / 2].joined(separator: "\n")
        #expect(!plan.contains("Seq Scan on reference"), "\(plan)")
        guard edges != nil else { return }
        times.sort()
        answers.sort()
        let places = try await Impact(pool: pool).of(ids.map { .id($0) }, options)
            .reduce(0) { $0 + $1.placeCount }
        print(
            """
            IMPACT of \(ids.count) items by \(order), \(places) places: execution median \
            \(times[times.count / 2]) ms, least \(times[0]) ms, most \(times[times.count - 1]) ms; \
            with the answer read median \(answers[answers.count / 2])
            """)
        if order == "md5(url)" { print(plan) }
    }
}
