public import Tenure
public import TenureFoundation

/// How large one of the product's tables is, with its indexes and what lies beside its rows, and
/// how large it was.
public struct TableGrowth: Sendable, Hashable, Codable {
    /// Without its schema.
    public let table: String
    public let bytes: Int64
    /// What it was at the earliest day of the last week of which that is known; nil where nobody
    /// has noted any before today.
    public let earlier: Int64?
    /// How many days ago that was.
    public let days: Int

    public var bytesPerDay: Int64? {
        earlier.map { (bytes - $0) / Int64(max(1, days)) }
    }

    /// The largest first. The sweep that coordinators enqueue every hour notes what was.
    public static func all(in pool: PostgresPool) async throws -> [TableGrowth] {
        try await pool.execute(ListSizes())
    }

    /// When sizes were last noted; nil before the first time.
    public static func noted(in pool: PostgresPool) async throws -> Date? {
        try await pool.execute(ReadNoted())[0]
    }
}

/// Notes how large each table is today.
struct NoteSizes: PostgresStatement {
    static let sql = "SELECT FROM content.note_sizes()"
}

struct ListSizes: PostgresStatement {
    static let sql = """
        WITH today AS (SELECT (content.now() AT TIME ZONE 'UTC')::date AS day)
        SELECT c.relname::text, pg_total_relation_size(c.oid), s.bytes,
               coalesce(d.day - s.noted_on, 0)
        FROM today d
        JOIN pg_class c ON c.relnamespace = (
            SELECT t.relnamespace FROM pg_class t WHERE t.oid = 'content.table_size'::regclass)
        LEFT JOIN LATERAL (
            SELECT s.bytes, s.noted_on FROM content.table_size s
            WHERE s.name = c.relname AND s.noted_on >= d.day - 7 AND s.noted_on < d.day
            ORDER BY s.noted_on LIMIT 1) AS s ON true
        WHERE c.relkind = 'r' AND pg_total_relation_size(c.oid) IS NOT NULL
        ORDER BY 2 DESC, 1
        """

    static func decode(_ row: borrowing PostgresRow) throws -> TableGrowth {
        TableGrowth(
            table: try row.decode(0), bytes: try row.decode(1), earlier: try row.decode(2),
            days: try row.count(3))
    }
}

struct ReadNoted: PostgresStatement {
    static let sql = "SELECT max(s.noted_on)::timestamptz FROM content.table_size s"

    static func decode(_ row: borrowing PostgresRow) throws -> Date? { try row.decode(0) }
}
