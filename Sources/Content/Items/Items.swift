public import Tenure
public import TenureFoundation
import Web

/// How an item is called: by its URL, or by its id.
public enum ItemName: Sendable, Hashable {
    case url(String)
    case id(UUID)

    /// An id where it looks like one, else a URL.
    public init(_ text: String) {
        self = UUID(uuidString: text).map { .id($0) } ?? .url(text)
    }
}

/// What was fetched, to look at and to edit.
public struct Items: Sendable {
    let pool: PostgresPool
    private(set) var source = ActionSource.library

    public init(pool: PostgresPool) { self.pool = pool }

    /// The same for those who act from elsewhere than a program.
    package func acting(from source: ActionSource) -> Items {
        var items = self
        items.source = source
        return items
    }

    /// What is kept of a URL; nil when nobody has tried to fetch it.
    /// - Throws: `ContentError` with `.refusedURL` for what is never fetched.
    public func item(url: String) async throws -> Item? { try await item(.url(url)) }

    public func item(_ name: ItemName) async throws -> Item? {
        guard var item = try await pool.execute(DescribeItem(id: name.id())).first else {
            return nil
        }
        item.fields = try await pool.execute(ReadFields(items: [item.id])).map { row in
            Item.Field(
                name: row.name, value: row.value, source: row.source, setBy: row.setBy,
                fetch: row.fetch, setAt: row.setAt)
        }
        return item
    }

    /// Without their fields.
    /// - Throws: `ContentError` with `.badOption` for a search by words where that is off, or that
    ///   has no word or too many.
    public func list(_ filter: ItemFilter = ItemFilter()) async throws -> [Item] {
        guard let words = filter.words else {
            return try await pool.execute(ListItems(filter: filter))
        }
        try await ItemWords(pool: pool).require(for: words)
        return try await pool.transaction(isolation: .readCommitted) { transaction in
            try await transaction.pipeline(
                PlanByKeys(), FindItems(filter: filter, words: words)
            ).1
        }
    }

    /// The versions of an item's content, the newest first.
    public func versions(of item: Item, limit: Int = 50) async throws -> [ItemVersion] {
        try await pool.execute(ListVersions(item: item.id, limit: limit))
    }

    /// Those before the last of a list, for the one that follows.
    package func versions(
        of item: Item, before last: Int?, limit: Int
    ) async throws -> [ItemVersion] {
        try await pool.execute(ListVersions(item: item.id, limit: limit, before: last))
    }

    /// The runs of an item's fetches, the newest first. A hundred are remembered.
    public func fetches(of item: Item, limit: Int = 50) async throws -> [ItemFetchRecord] {
        try await pool.execute(ListFetches(item: item.id, limit: limit))
    }
}

extension ContentFetch {
    /// A fetch that somebody asked for: of a URL that may be fetched, in its normal form.
    /// - Parameter allowed: blocks of addresses that may be reached although they aren't public.
    /// - Throws: `ContentError` with `.refusedURL`.
    public init(
        checking url: String, mode: Mode = .article, force: Bool = false,
        merge: Merge = .defensive, allowed: [String] = []
    ) throws {
        let checked = try CheckableURL.parse(url)
        _ = try CheckableURL.isOwn(checked, allowed: allowed)
        self.init(url: checked.href, mode: mode, force: force, merge: merge)
    }
}

extension ItemName {
    /// The ids of items, each once: an item's id is the digest of its URL.
    static func ids(_ names: [ItemName]) throws -> [UUID] {
        var seen: Set<UUID> = []
        return try names.map { try $0.id() }.filter { seen.insert($0).inserted }
    }

    func id() throws -> UUID {
        switch self {
        case .id(let id): return id
        case .url(let text): return Digest.id(of: try CheckableURL.parse(text).href)
        }
    }
}
