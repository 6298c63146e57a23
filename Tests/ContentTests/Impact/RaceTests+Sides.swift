import Synchronization
import Tenure
import TenureFoundation
import Testing
import Web

@testable import Content

/// Who races, a statement a step.
extension RaceTests {
    func writer(
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
            { _ in _ = try await pool.execute(StoreTargets(hrefs: targets, isQuick: true)) },
            { transaction in
                let ids = [Digest.id(of: page)]
                let item = try await transaction.pipeline(
                    LockItems(ids: ids), ReadLockedItems(ids: ids)
                ).1.first
                if item == nil { throw ItemDeleted() }
            },
            { transaction in
                let item = Digest.id(of: page)
                _ = try await transaction.execute(
                    DeleteEdges(items: [item], kept: ids.map { (item, $0) }))
                if missing == .hold {
                    for target in targets {
                        try await transaction.query(Self.edge(from: page, to: target))
                    }
                    return
                }
                let edges = targets.compactMap { Self.image(of: $0) }
                var page = ScannedPage()
                page.edges = edges
                let rows = StoreEdges.Entry.all(page, PageTargets(edges), of: item)
                let (gone, _) = try await transaction.pipeline(
                    HoldTargets(ids: ids), StoreEdges(rows: rows[...]))
                if !gone.isEmpty { throw TargetsGone(ids: gone) }
            },
            { _ in if world.writerGivesUp { throw ItemDeleted() } },
        ]
    }

    private static func image(of href: String) -> Edge? {
        let text = "<img src=\(href)>"
        let page = ScannedPage(
            DecodedText(Array(text.utf8), headerCharset: "utf-8", isHTML: true),
            of: WebURL(pages[0])!, isHTML: true, limits: HTMLLimits())
        return page.edges.first
    }

    /// As `PageGroup` does it, a statement a step.
    private func batch(
        _ page: String, _ targets: [String], _ world: World, _ missing: Guard?
    ) -> [Race.Step] {
        let gone = Mutex<[String]>([])
        return [
            { transaction in
                let ids = [Digest.id(of: page)]
                let item = try await transaction.pipeline(
                    LockItems(ids: ids), ReadLockedItems(ids: ids)
                ).1.first
                if item == nil { throw ItemDeleted() }
            },
            { _ = try await $0.execute(StoreTargets(hrefs: targets)) },
            { transaction in
                if missing == .hold { return }
                let found = try await transaction.execute(
                    HoldTargets(ids: targets.map { Digest.id(of: $0) }))
                gone.withLock { $0 = targets.filter { found.contains(Digest.id(of: $0)) } }
            },
            { transaction in
                let item = Digest.id(of: page)
                _ = try await transaction.execute(
                    DeleteEdges(
                        items: [item], kept: targets.map { (item, Digest.id(of: $0)) }))
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
    func visitor(_ missing: Guard?) -> [Race.Step] {
        [
            { _ = try await $0.execute(ReadTargets(ids: [Digest.id(of: Self.alias)])) },
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
    func deletion(_ world: World, _ missing: Guard?) -> [Race.Step] {
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
}
