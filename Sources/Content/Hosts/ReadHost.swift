import FoundationEssentials
import Tenure

/// What is known of a host: how long it wants to be left alone, and its robots.txt while that
/// is fresh.
struct ReadHost: PostgresStatement {
    static let sql = """
        SELECT greatest(h.hold_until - clock_timestamp(), '0'), h.robots_status, h.robots,
               coalesce(h.robots_until > clock_timestamp(), false)
        FROM content.host h WHERE h.origin = $1
        """
    let origin: String

    struct Row: Sendable {
        let hold: Duration
        let robotsStatus: Int?
        let robots: [UInt8]?
        let isFresh: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(origin) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            hold: try row.decode(0, as: Duration?.self) ?? .zero,
            robotsStatus: try row.decode(1, as: Int32?.self).map(Int.init),
            robots: try row.decode(2, as: [UInt8]?.self),
            isFresh: try row.decode(3))
    }
}
