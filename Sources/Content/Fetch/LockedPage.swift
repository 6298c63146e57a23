import Tenure
import TenureFoundation
import Web

/// An item under its lock, with what hangs on it.
struct LockedPage: Sendable {
    let item: LockedItem
    let fields: [ReadFields.Row]
    let target: ReadTargets.Row

    /// Reads items again, locked, then their targets, both in the order of their ids. An item that
    /// nobody had seen is made; one that is gone, or is another by now, stays as it is.
    /// - Returns: one for each of the endings, which are of different URLs.
    static func lock(
        _ endings: [FetchEnding], in transaction: PostgresTransaction
    ) async throws -> [LockedPage] {
        let ids = endings.map(\.item)
        var locks = try ItemLocks(
            endings.map { ($0.item, $0.url.href, $0.known.createdAt == nil) })
        let places = (
            fields: try locks.bundle.add(ReadFields(items: ids)),
            targets: try locks.bundle.add(ReadTargets(ids: ids))
        )
        let reply = try await transaction.run(locks.bundle)
        let items = try locks.items(of: reply)
        let fields = Dictionary(
            grouping: try reply.rows(as: ReadFields.self, of: places.fields), by: \.item)
        let targets = try reply.rows(as: ReadTargets.self, of: places.targets)
        let targetsByID = Dictionary(targets.map { ($0.id, $0) }) { first, _ in first }
        return try endings.map { ending in
            guard let item = items[ending.url.href],
                ending.known.createdAt == nil || item.createdAt == ending.known.createdAt
            else { throw ItemDeleted() }
            guard let target = targetsByID[ending.item] else {
                throw TargetsGone(ids: [ending.item])
            }
            return LockedPage(item: item, fields: fields[item.id] ?? [], target: target)
        }
    }
}
