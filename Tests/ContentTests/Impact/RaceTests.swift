import FoundationEssentials
import Synchronization
import Tenure
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
    }

    /// The world before a race. X is to be deleted; P and Q are pages that may refer to it.
    private struct World {
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

    private static let x = "https://a.test/x"
    private static let alias = "https://a.test/alias"
    private static let pages = ["https://a.test/p", "https://a.test/q"]

    private func races(_ count: Int, without missing: Guard? = nil) async throws -> Tally {
        let fixture = try await ContentFixture("races")
        let configuration = try PostgresConfiguration(fixture.conninfo)
        var connections: [PostgresConnection] = []
        var tally = Tally()
        for seed in 1...count {
            // A machine that stood still for long has lost some.
            connections.removeAll(where: \.isClosed)
            while connections.count < 3 {
                connections.append(try await PostgresConnection.connect(configuration))
            }
            let race = Race(connections: connections, watch: fixture.pool)
            var random = Seeded(UInt64(seed))
            let world = World(&random)
            try await build(world, fixture.pool)
            var sides = [deletion(world, missing)]
            if world.isVisited { sides.append(visitor(missing)) }
            for number in 0..<world.writers where !world.isVisited {
                sides.append(writer(number, world, missing, fixture.pool))
            }
            let order = sides.indices.flatMap { side in
                Array(repeating: side, count: sides[side].count + 1)
            }.shuffled(using: &random)
            let ends = try await race.run(sides, order: order)
            try await judge(ends, world, seed, fixture.pool, &tally)
        }
        for connection in connections { connection.close() }
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

    private static func edge(from page: String, to x: String) -> String {
        """
        INSERT INTO content.reference (item, target, ordinal, line, "column", kind, strength, raw)
        SELECT content.digest('\(page)'), content.digest('\(x)'), 1, 1, 1, 'image', 'hard', 'x'
        """
    }

    private func writer(
        _ number: Int, _ world: World, _ missing: Guard?, _ pool: PostgresPool
    ) -> [Race.Step] {
        let page = Self.pages[number]
        let target = world.isIndirect ? Self.alias : Self.x
        let targets = number > 0 || world.keeps ? [target] : []
        return world.isFetch
            ? fetch(page, targets, world, missing, pool) : batch(page, targets, world, missing)
    }

    /// As `FetchEnding` does it. It begins anew where a target is gone: that is not played here.
    private func fetch(
        _ page: String, _ targets: [String], _ world: World, _ missing: Guard?,
        _ pool: PostgresPool
    ) -> [Race.Step] {
        let ids = targets.map { Digest.id(of: $0) }
        return [
            { _ in _ = try await pool.execute(NoteTargets(hrefs: targets)) },
            { transaction in
                let item = try await transaction.execute(LockItem(url: page)).first
                if item == nil { throw ItemDeleted() }
            },
            { transaction in
                let item = Digest.id(of: page)
                _ = try await transaction.execute(DeleteEdges(item: item, targets: ids))
                if missing == .hold {
                    for target in targets {
                        try await transaction.query(Self.edge(from: page, to: target))
                    }
                    return
                }
                let edges = targets.compactMap { Self.image(of: $0) }
                let store = StoreEdges(
                    item: item, targets: PageTargets(edges), edges: edges, anchors: [])
                let gone = try await transaction.execute(store)
                if !gone.isEmpty { throw TargetsGone(ids: ids) }
            },
            { _ in if world.writerGivesUp { throw ItemDeleted() } },
        ]
    }

    private static func image(of href: String) -> Edge? {
        let text = "<img src=\(href)>"
        let page = ScannedPage(
            DecodedText(Array(text.utf8), headerCharset: "utf-8", isHTML: true),
            of: WebURL(pages[0])!, isHTML: true, limits: HTMLLimits())
        return page.references.first.map { Edge($0) }
    }

    /// As `PageBatch` does it, a statement a step.
    private func batch(
        _ page: String, _ targets: [String], _ world: World, _ missing: Guard?
    ) -> [Race.Step] {
        let gone = Mutex<[String]>([])
        return [
            { transaction in
                let item = try await transaction.execute(LockItem(url: page)).first
                if item == nil { throw ItemDeleted() }
            },
            { _ = try await $0.execute(StoreTargets(hrefs: targets)) },
            { transaction in
                if missing == .hold { return }
                let found = try await transaction.execute(HoldTargets(hrefs: targets))
                gone.withLock { $0 = found }
            },
            { transaction in
                _ = try await transaction.execute(
                    DeleteEdges(
                        item: Digest.id(of: page), targets: targets.map { Digest.id(of: $0) }))
                for target in targets {
                    try await transaction.query(Self.edge(from: page, to: target))
                }
            },
            { transaction in
                try await HoldTargets.hold(gone.withLock { $0 }, in: transaction)
                if world.writerGivesUp { throw ItemDeleted() }
            },
        ]
    }

    /// As `TargetMemory` does it.
    private func visitor(_ missing: Guard?) -> [Race.Step] {
        [
            { _ = try await $0.execute(ReadTarget(href: Self.alias)) },
            { transaction in
                if missing == .hold { return }
                try await HoldTargets.hold([Self.x], in: transaction)
            },
            { transaction in
                try await transaction.query(
                    """
                    UPDATE content.target SET state = 'redirected', next_href = '\(Self.x)'
                    WHERE href = '\(Self.alias)'
                    """)
            },
        ]
    }

    /// As `ItemDeletion` does it.
    private func deletion(_ world: World, _ missing: Guard?) -> [Race.Step] {
        let ids = ([Self.x] + (world.deletesP ? [Self.pages[0]] : [])).map { Digest.id(of: $0) }
        let urls = Mutex<[String]>([])
        let impacts = Mutex<[ItemImpact]>([])
        return [
            { transaction in
                let found = try await ItemDeletion.lockItems(ids, in: transaction)
                urls.withLock { $0 = found }
            },
            { transaction in
                if missing == .lock { return }
                try await ItemDeletion.lockTargets(ids, urls.withLock { $0 }, in: transaction)
            },
            { transaction in
                let found = try await ItemDeletion.look(ids, ImpactOptions(), in: transaction)
                impacts.withLock { $0 = found }
                guard found.allSatisfy({ $0.verdict == .safe }) else { throw Refused() }
            },
            { transaction in
                if missing == .redirects { return }
                _ = try await transaction.execute(ForgetRedirects(ids: ids))
            },
            { transaction in
                try await ItemDeletion.forget(
                    impacts.withLock { $0 }, by: "a test", in: transaction)
            },
        ]
    }

    private struct Refused: Error {}

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
