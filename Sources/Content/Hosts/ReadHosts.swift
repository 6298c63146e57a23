import Tenure
import TenureFoundation
import Web

/// What is known of hosts: how long each wants to be left alone, its robots.txt while that is
/// fresh, and whether it is the operator's own. A robots.txt may have 500 KiB: it comes along only
/// where it is wanted, and isn't the one that is known. A row for each, in order.
struct ReadHosts: PostgresStatement {
    static let sql = """
        SELECT greatest(h.hold_until - clock_timestamp(), '0'), h.robots_status,
               CASE WHEN a.wants AND h.robots_fetched_at IS DISTINCT FROM a.known
                    THEN h.robots END,
               coalesce(h.robots_until > clock_timestamp(), false), o.host IS NOT NULL,
               h.hold_until, h.robots_fetched_at, h.robots IS NOT NULL
        FROM unnest((SELECT $1::text[]), $2::text[], $3::bool[], $4::timestamptz[])
             WITH ORDINALITY AS a (origin, host, wants, known, place)
        LEFT JOIN LATERAL (
            SELECT h.* FROM content.host h WHERE h.origin = a.origin OFFSET 0) AS h ON true
        LEFT JOIN LATERAL (
            SELECT o.host FROM content.own_host o WHERE o.host = a.host OFFSET 0) AS o ON true
        ORDER BY a.place
        """
    let questions: [Question]

    struct Question: Sendable {
        let url: WebURL
        var wantsRobots = false
        /// When the robots.txt was fetched that is known already.
        var knownRobots: Date?
    }

    init(_ questions: [Question]) { self.questions = questions }
    /// Of a single one.
    init(url: WebURL, wantsRobots: Bool = false) {
        questions = [Question(url: url, wantsRobots: wantsRobots)]
    }

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
        try parameters.append(questions.map(\.url.origin))
        try parameters.append(questions.map { $0.url.host ?? "" })
        try parameters.append(questions.map(\.wantsRobots))
        try parameters.append(questions.map(\.knownRobots))
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
