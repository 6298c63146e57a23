import Tenure
import TenureFoundation

/// Keeps a host's robots.txt for a day, or what stands for it. Returns since when.
struct StoreRobots: PostgresStatement {
    static let sql = """
        INSERT INTO content.host AS h (
            origin, robots_fetched_at, robots_until, robots_status, robots)
        VALUES ($1, now(), now() + interval '1 day', $2, $3)
        ON CONFLICT (origin) DO UPDATE
        SET robots_fetched_at = EXCLUDED.robots_fetched_at, robots_until = EXCLUDED.robots_until,
            robots_status = EXCLUDED.robots_status, robots = EXCLUDED.robots
        RETURNING h.robots_fetched_at
        """
    let origin: String
    let status: Int?
    let robots: [UInt8]?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(origin)
        try parameters.append(clamping: status)
        try parameters.append(robots)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Date { try row.decode(0) }
}
