public import Tenure
public import TenureFoundation

/// What is broken by now, over all that is remembered, and every place in a live item that refers
/// to it.
public struct BrokenLinks: Sendable {
    private let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    /// Targets that are confirmed to be broken, or lead there by redirects; redirects and canonical
    /// pages that go in a circle; and fragments that name no anchor. In the order of their targets,
    /// without what a rule ignores.
    /// - Parameter age: only what broke within this time; nil for all.
    public func list(newerThan age: Duration? = nil) async throws -> [BrokenLink] {
        try await look(newerThan: age).links
    }

    /// The same, and how many are left out because a rule ignores them.
    package func look(
        newerThan age: Duration? = nil
    ) async throws -> (links: [BrokenLink], ignored: Int) {
        if let age, age <= .zero {
            throw ContentError(.badOption, "since is \(age); give a time above 0")
        }
        let (_, targets, fragments, loops, rules) = try await pool.pipeline(
            PlanQuickly(), ListBrokenTargets(age: age), ListMissingFragments(age: age),
            ListCanonicalLoops(age: age), ListIgnoreRules(), deadline: .seconds(300))
        let all = Self.group(targets + fragments + loops)
        let holding = rules.map(\.rule).filter { !$0.hasEnded }.map(IgnoreMatch.init)
        let links = all.compactMap { $0.without(holding) }
        return (links, all.count - links.count)
    }

    private static func group(_ rows: [BrokenPlaceRow]) -> [BrokenLink] {
        struct Key: Hashable {
            let target: String
            let code: String
            let fragment: String?
        }
        let found = Dictionary(grouping: rows) { row in
            Key(target: row.target, code: row.code, fragment: row.fragment)
        }
        return found.map { key, rows in
            BrokenLink(
                target: key.target, code: key.code, status: rows[0].status,
                fragment: key.fragment, brokenSince: rows.compactMap(\.since).min(),
                lastOkAt: rows[0].lastOkAt, isHard: rows.contains(where: \.place.isHard),
                places: rows.map(\.place))
        }
        .sorted {
            ($0.target, $0.code, $0.fragment ?? "") < ($1.target, $1.code, $1.fragment ?? "")
        }
    }
}

/// A target that something is wrong with, and every place that refers to it.
public struct BrokenLink: Sendable, Hashable {
    public let target: String
    /// `404`, `redirectLoop`, `missingFragment`, `canonicalLoop`, `connectRefused`, …
    public let code: String
    public let status: Int?
    /// The anchor that is missing.
    public let fragment: String?
    /// Since when; of a circle, and of a fragment that nobody has noted yet, since the last change
    /// that can have made it.
    public let brokenSince: Date?
    public let lastOkAt: Date?
    /// Whether a page breaks with it.
    public let isHard: Bool
    /// In the order of the pages' URLs, and in each of the document.
    public let places: [LinkPlace]
}

extension BrokenLink {
    /// What rules leave of it, if anything. They see what reports show: no secrets.
    fileprivate func without(_ rules: [IgnoreMatch]) -> BrokenLink? {
        let name = URLRedaction.text(target)
        let matches = rules.filter { $0.covers([name], fragment: fragment, code: code) }
        if matches.isEmpty { return self }
        let rest = places.filter { place in
            !matches.contains { $0.covers(page: [URLRedaction.text(place.page)]) }
        }
        if rest.isEmpty { return nil }
        return BrokenLink(
            target: target, code: code, status: status, fragment: fragment,
            brokenSince: brokenSince, lastOkAt: lastOkAt,
            isHard: rest.contains(where: \.isHard), places: rest)
    }
}

/// Where a live item refers to something.
public struct LinkPlace: Sendable, Hashable {
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
}

/// A broken target and one place that refers to it.
struct BrokenPlaceRow: Sendable {
    let target: String
    let code: String
    let status: Int?
    let fragment: String?
    let since: Date?
    let lastOkAt: Date?
    let place: LinkPlace

    /// The columns in the order above.
    init(_ row: borrowing PostgresRow) throws {
        target = try row.decode(0)
        code = try row.decode(1)
        status = try row.number(2)
        fragment = try row.decode(3)
        since = try row.decode(4)
        lastOkAt = try row.decode(5)
        place = LinkPlace(
            page: try row.decode(6), line: try row.count(7),
            column: try row.count(8), kind: try row.decode(9),
            isHard: try row.decode(10), raw: try row.decode(11), text: try row.decode(12))
    }
}
