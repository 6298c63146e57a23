public import Tenure
public import TenureFoundation
import Web

/// Which live items depend on others: may those be deleted?
///
/// All items are asked about at once, in one statement, and its cost follows what it finds, not
/// how much is stored.
public struct Impact: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    /// What depends on each of the items, in their order; an item that is named twice comes once.
    ///
    /// The answer supposes that all that are safe, or get a redirect in their place, are deleted
    /// together: what refers to one of them and goes with it is no reason to keep it.
    /// - Throws: `ContentError` with `.refusedURL` for what is never fetched, `.badOption`.
    public func of(
        _ items: [ItemName], _ options: ImpactOptions = ImpactOptions()
    ) async throws -> [ItemImpact] {
        let options = try options.validated()
        let ids = try ItemName.ids(items)
        if ids.isEmpty { return [] }
        let (_, rows) = try await pool.pipeline(
            PlanDependents(), FindDependents(ids: ids, options: options), deadline: .seconds(300))
        return ItemImpact.group(rows, in: ids, places: options.places)
    }
}

/// How dependents are looked for.
public struct ImpactOptions: Sendable {
    /// An edge proves something only if somebody has looked at its page for so long.
    public var maxAge: Duration = .seconds(30 * 86_400)
    /// At most so many places are named for each item, those that break first; all are counted.
    public var places = 20

    public init() {}

    func validated() throws -> ImpactOptions {
        guard maxAge > .zero, maxAge <= .seconds(36_500 * 86_400) else {
            throw ContentError(
                .badOption, "maxAge is \(maxAge); give a time above 0, 36500 days at most")
        }
        guard (0...1_000_000).contains(places) else {
            throw ContentError(.badOption, "places is \(places); give 0 to 1000000")
        }
        return self
    }
}

/// What depends on an item.
public struct ItemImpact: Sendable, Hashable {
    public enum Verdict: String, Sendable, Codable, CaseIterable {
        /// No live item refers to it.
        case safe
        /// Some do, and none breaks without it: a redirect in its place keeps their links alive.
        case safeWithRedirect
        /// A live item breaks without it.
        case unsafe
        /// What is known of its dependents is too old, all of it or what would break, or it was
        /// never heard of.
        case unknown
    }

    public let id: UUID
    /// Nil when nothing is known of it.
    public let url: String?
    public let verdict: Verdict
    /// How many places in live items refer to it,
    public let placeCount: Int
    /// and in how many of them the item breaks without it.
    public let hardCount: Int
    /// Those that break first, then by item; not more than were asked for.
    public internal(set) var places: [DependentPlace]

    static func group(
        _ rows: [FindDependents.Row], in ids: [UUID], places most: Int
    ) -> [ItemImpact] {
        var found = Dictionary(grouping: rows, by: \.id)
        return ids.compactMap { id in
            guard let rows = found.removeValue(forKey: id), let first = rows.first else {
                return nil
            }
            let places = rows.sorted { $0.number < $1.number }.compactMap(\.place)
            return ItemImpact(
                id: id, url: first.url, verdict: first.verdict, placeCount: first.places,
                hardCount: first.hard, places: Array(places.prefix(most)))
        }
    }
}

/// Where a live item refers to another one.
public struct DependentPlace: Sendable, Hashable {
    public let page: String
    public let line: Int
    public let column: Int
    public let kind: String
    /// Whether the page breaks without it.
    public let isHard: Bool
    /// As it is written there.
    public let raw: String
    /// What a reader of the link sees.
    public let text: String?
    /// The URL that it names, where that one redirects to the item.
    public let via: String?
    /// When somebody last saw it there.
    public let seenAt: Date
}
