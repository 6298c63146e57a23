import FoundationEssentials
import Tenure
import Web

/// What is known of a host: how long it wants to be left alone, its robots.txt while that is fresh,
/// and whether it is the operator's own. A robots.txt may have 500 KiB: it comes along only where
/// it is wanted, and isn't the one that is known.
struct ReadHost: PostgresStatement {
    static let sql = """
        SELECT greatest(h.hold_until - clock_timestamp(), '0'), h.robots_status,
               CASE WHEN $3 AND h.robots_fetched_at IS DISTINCT FROM $4 THEN h.robots END,
               coalesce(h.robots_until > clock_timestamp(), false), o.host IS NOT NULL,
               h.hold_until, h.robots_fetched_at, h.robots IS NOT NULL
        FROM (VALUES ($1, $2)) AS asked (origin, host)
        LEFT JOIN content.host h ON h.origin = asked.origin
        LEFT JOIN content.own_host o ON o.host = asked.host
        """
    let url: WebURL
    var wantsRobots = false
    /// When the robots.txt was fetched that is known already.
    var knownRobots: Date?

    struct Row: Sendable {
        let hold: Duration
        let robotsStatus: Int?
        let robots: [UInt8]?
        let isFresh: Bool
        let isOwn: Bool
        let holdUntil: Date?
        let robotsFetchedAt: Date?
        /// Whether there is one at all, wanted or not.
        let hasRobots: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url.origin)
        try parameters.append(url.host ?? "")
        try parameters.append(wantsRobots)
        try parameters.append(knownRobots)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            hold: try row.decode(0, as: Duration?.self) ?? .zero,
            robotsStatus: try row.number(1),
            robots: try row.decode(2, as: [UInt8]?.self),
            isFresh: try row.decode(3), isOwn: try row.decode(4),
            holdUntil: try row.decode(5), robotsFetchedAt: try row.decode(6),
            hasRobots: try row.decode(7))
    }
}
