import Tenure
import TenureFoundation
import Web

/// Reads items again, locked in the order of their ids until the end of the transaction.
struct ItemLocks: Sendable {
    /// What else is to be read with them is added.
    var bundle = PostgresBundle()
    private let hrefs: [UUID: String]
    private let made: Int
    private let locked: Int

    /// - Parameter items: each once; one that is new has been seen by nobody yet: it is made.
    init(_ items: [(id: UUID, href: String, isNew: Bool)]) throws {
        hrefs = Dictionary(items.map { ($0.id, $0.href) }) { first, _ in first }
        let new = items.filter(\.isNew)
        try bundle.add(PlanByKeys())
        made = try bundle.add(MakeItems(ids: new.map(\.id), urls: new.map(\.href)))
        try bundle.add(LockItems(ids: items.map(\.id)))
        locked = try bundle.add(ReadLockedItems(ids: items.map(\.id)))
    }

    /// Those that are there, by their URLs: the others have been deleted meanwhile.
    func items(of reply: borrowing PostgresReply) throws -> [String: LockedItem] {
        let made = Set(try reply.rows(as: MakeItems.self, of: made))
        var items: [String: LockedItem] = [:]
        for var item in try reply.rows(as: ReadLockedItems.self, of: locked) {
            item.isNew = made.contains(item.id)
            if let href = hrefs[item.id] { items[href] = item }
        }
        return items
    }
}
