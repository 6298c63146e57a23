import FoundationEssentials
import Tenure
import Web

/// An item under its lock, with what hangs on it.
struct LockedPage: Sendable {
    let item: LockedItem
    let fields: [ReadFields.Row]
    let target: ReadTarget.Row

    /// Reads items again, locked, then their targets, both in the order of their ids. An item that
    /// nobody had seen is made; one that is gone, or is another by now, stays as it is.
    /// - Returns: one for each of the endings, which are of different URLs.
    static func lock(
        _ endings: [FetchEnding], in transaction: PostgresTransaction
    ) async throws -> [LockedPage] {
        let unseen = Set(endings.filter { $0.known.createdAt == nil }.map(\.url.href))
        var locks = try ItemLocks(endings.map(\.url)) { unseen.contains($0.href) }
        var places: [UUID: (fields: Int, target: Int)] = [:]
        let ids = endings.map { Digest.id(of: $0.url.href) }
        for id in ids.sorted(by: { $0.uuidString < $1.uuidString }) {
            places[id] = (
                try locks.bundle.add(ReadFields(item: id)), try locks.bundle.add(ReadTarget(id: id))
            )
        }
        let reply = try await transaction.run(locks.bundle)
        let items = try locks.items(of: reply)
        return try zip(endings, ids).map { ending, id in
            guard let item = items[ending.url.href], let place = places[id],
                ending.known.createdAt == nil || item.createdAt == ending.known.createdAt
            else { throw ItemDeleted() }
            guard let target = try reply.rows(as: ReadTarget.self, of: place.target).first else {
                throw TargetsGone(ids: [id])
            }
            return LockedPage(
                item: item, fields: try reply.rows(as: ReadFields.self, of: place.fields),
                target: target)
        }
    }
}
