import FoundationEssentials
import Tenure
import Web

/// Reads items again, locked in the order of their ids until the end of the transaction.
struct ItemLocks: Sendable {
    /// What else is to be read with them is added.
    var bundle = PostgresBundle()
    private var places: [(url: String, made: Int?, locked: Int)] = []

    /// - Parameter isNew: nobody has seen it yet: it is made.
    init(_ urls: [WebURL], isNew: (WebURL) -> Bool) throws {
        let sorted = urls.map { (id: Digest.id(of: $0.href), url: $0) }
            .sorted { $0.id.uuidString < $1.id.uuidString }
        for (id, url) in sorted {
            let made = isNew(url) ? try bundle.add(MakeItem(id: id, url: url.href)) : nil
            places.append((url.href, made, try bundle.add(LockItem(id: id))))
        }
    }

    /// Those that are there, by their URLs: the others have been deleted meanwhile.
    func items(of reply: borrowing PostgresReply) throws -> [String: LockedItem] {
        var items: [String: LockedItem] = [:]
        for (url, made, locked) in places {
            guard var item = try reply.rows(as: LockItem.self, of: locked).first else { continue }
            if let made { item.isNew = try !reply.rows(as: MakeItem.self, of: made).isEmpty }
            items[url] = item
        }
        return items
    }
}
