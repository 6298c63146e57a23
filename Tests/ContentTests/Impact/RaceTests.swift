import Synchronization
import Tenure
import TenureFoundation
import Testing
import Web

@testable import Content

/// Deletions against new edges, in every order of their steps, locks and commits.
@Suite struct RaceTests {
    /// What is taken out, to see that it is missed.
    enum Guard: CaseIterable { case hold, lock, redirects }

    private static let daily = 150

    @Test func `no deletion leaves a hard edge dangling`() async throws {
        let count = ProcessInfo.processInfo.environment["TENURE_RACES"].flatMap(Int.init)
        let tally = try await races(count ?? Self.daily)
        #expect(tally.dangling == 0)
        // Else it has shown nothing: each way to end comes up.
        #expect(tally.deleted > 10 && tally.refused > 10 && tally.madeAnew > 5, "\(tally)")
        print("RACES \(tally)")
    }

    @Test(arguments: Guard.allCases)
    func `without its guard one does`(_ missing: Guard) async throws {
        let tally = try await races(Self.daily, without: missing)
        #expect(tally.dangling > 0, "\(tally)")
        print("RACES without \(missing): \(tally)")
    }

    struct Tally {
        var races = 0
        var deleted = 0
        var refused = 0
        /// Targets that a writer has made again, because the deletion came first.
        var madeAnew = 0
        var waited = 0
        /// Races in which a connection broke: not among those above.
        var lost = 0
        var dangling = 0

        mutating func add(_ other: Tally) {
            races += other.races
            deleted += other.deleted
            refused += other.refused
            madeAnew += other.madeAnew
            waited += other.waited
            lost += other.lost
            dangling += other.dangling
        }
    }

    /// The world before a race. X is to be deleted; P and Q are pages that may refer to it.
    struct World {
        let writers: Int
        let hasTarget: Bool
        /// Whether P refers to X already, and whether it does so from then on.
        let refers: Bool
        let keeps: Bool
        let deletesP: Bool
        let writerGivesUp: Bool
        /// The writers refer to what redirects to X,
        let isIndirect: Bool
        /// or P does, and a visit finds the redirect.
        let isVisited: Bool
        /// Whether it writes as a fetch does, and not as a run's batch of pages.
        let isFetch: Bool

        init(_ random: inout Seeded) {
            func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
            writers = isOneOf(3) ? 2 : 1
            hasTarget = !isOneOf(4)
            refers = isOneOf(3)
            keeps = !refers || !isOneOf(3)
            deletesP = isOneOf(4)
            writerGivesUp = isOneOf(8)
            let hasAlias = hasTarget && !refers
            isIndirect = hasAlias && isOneOf(3)
            isVisited = hasAlias && !isIndirect && isOneOf(3)
            isFetch = isOneOf(2)
        }
    }

    static let x = "https://a.test/x"
    static let alias = "https://a.test/alias"
    static let pages = ["https://a.test/p", "https://a.test/q"]

    /// Side by side, each track in a database of its own: a race is mostly waiting for a lock.
    private static let tracks = 4

    private func races(_ count: Int, without missing: Guard? = nil) async throws -> Tally {
        try await withThrowingTaskGroup(of: Tally.self) { group in
            for track in 1...Self.tracks {
                group.addTask {
                    let seeds = stride(from: track, through: count, by: Self.tracks)
                    return try await races(seeds, without: missing)
                }
            }
            return try await group.reduce(into: Tally()) { $0.add($1) }
        }
    }

    private func races(
        _ seeds: StrideThrough<Int>, without missing: Guard?
    ) async throws -> Tally {
        let fixture = try await ContentFixture("races")
        let configuration = try PostgresConfiguration(fixture.conninfo)
        var connections: [PostgresConnection] = []
        let asides = try (0..<3).map { try Race.aside($0, fixture.conninfo) }
        var tally = Tally()
        for seed in seeds {
            // A machine that stood still for long has lost some.
            connections.removeAll(where: \.isClosed)
            while connections.count < 3 {
                connections.append(try await PostgresConnection.connect(configuration))
            }
            let race = Race(connections: connections, asides: asides, watch: fixture.pool)
            var random = Seeded(UInt64(seed))
            let world = World(&random)
            try await build(world, fixture.pool)
            var sides = [deletion(world, missing)]
            if world.isVisited { sides.append(visitor(missing)) }
            for number in 0..<world.writers where !world.isVisited {
                sides.append(writer(number, world, missing, asides[sides.count]))
            }
            let order = sides.indices.flatMap { side in
                Array(repeating: side, count: sides[side].count + 1)
            }.shuffled(using: &random)
            let ends = try await race.run(sides, order: order)
            try await judge(ends, world, seed, fixture.pool, &tally)
        }
        for connection in connections { connection.close() }
        for aside in asides { await aside.close() }
        return tally
    }

    private func build(_ world: World, _ pool: PostgresPool) async throws {
        try await pool.simple(
            """
            DELETE FROM content.reference; DELETE FROM content.item; DELETE FROM content.target;
            DELETE FROM content.dropped_edge;
            INSERT INTO content.item (id, url, outcome, seen_at)
            SELECT content.digest(u), u, 'stored', now()
            FROM unnest('{https://a.test/x,https://a.test/p,https://a.test/q}'::text[]) AS u;
            """)
        if world.hasTarget || world.refers {
            try await pool.simple(
                """
                INSERT INTO content.target (id, href, state)
                SELECT content.digest('https://a.test/x'), 'https://a.test/x', 'ok'
                """)
        }
        if world.isIndirect || world.isVisited {
            let next = world.isIndirect ? "'redirected', '\(Self.x)'" : "'ok', NULL"
            try await pool.simple(
                """
                INSERT INTO content.target (id, href, state, next_href)
                SELECT content.digest('\(Self.alias)'), '\(Self.alias)', \(next)
                """)
        }
        if world.isVisited {
            try await pool.simple(Self.edge(from: Self.pages[1], to: Self.alias))
        }
        if world.refers { try await pool.simple(Self.edge(from: Self.pages[0], to: Self.x)) }
    }

    static func edge(from page: String, to x: String) -> String {
        """
        INSERT INTO content.reference (item, target, ordinal, line, "column", kind, strength, raw)
        SELECT content.digest('\(page)'), content.digest('\(x)'), 1, 1, 1, 'image', 'hard', 'x'
        """
    }

    struct Refused: Error {}

    private func judge(
        _ ends: [Race.End], _ world: World, _ seed: Int, _ pool: PostgresPool, _ tally: inout Tally
    ) async throws {
        let sql = """
            SELECT count(*), count(*) FILTER (WHERE e.id IS NULL),
                   count(*) FILTER (WHERE e.href = 'https://a.test/x' AND e.state = 'ok'),
                   count(*) FILTER (WHERE e.state = 'unchecked'),
                   (SELECT count(*) FROM content.item i WHERE i.url = 'https://a.test/x')
            FROM content.reference r LEFT JOIN content.target t ON t.id = r.target
            LEFT JOIN content.target e
                ON e.href = CASE WHEN t.state = 'redirected' THEN t.next_href ELSE t.href END
            """
        let row = try await pool.query(sql) { row in
            try (0..<5).map { try row.decode($0, as: Int64.self) }
        }[0]
        let isDeleted = ends[0].isCommitted
        if ends.contains(where: \.wasLost) {
            tally.lost += 1
        } else {
            tally.races += 1
        }
        tally.deleted += isDeleted ? 1 : 0
        tally.refused += ends[0].error is Refused ? 1 : 0
        tally.waited += ends.contains { ($0.error as? PostgresError)?.sqlState == "55P03" } ? 1 : 0
        let isUnknown = ends[0].wasLost
        #expect((row[4] == 0) == isDeleted || isUnknown, "seed \(seed)")
        // An edge without a target; or one whose writer took the deleted one's for its own.
        let dangles = row[1] > 0 || isDeleted && row[2] > 0
        // One that was there all the time was seen.
        let isMissed = isDeleted && world.refers && world.keeps && !world.deletesP
        tally.dangling += dangles || isMissed ? 1 : 0
        tally.madeAnew += isDeleted && row[3] > 0 ? 1 : 0
        for end in ends {
            let isExpected =
                end.error == nil || end.error is Refused || end.error is ItemDeleted
                || end.error is TargetsGone || end.wasLost
                || (end.error as? PostgresError)?.sqlState == "55P03"
            #expect(isExpected, "seed \(seed): \(String(describing: end.error))")
        }
    }
}
