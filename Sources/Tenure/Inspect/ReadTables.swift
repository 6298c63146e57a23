import TenurePostgres

/// A hot table's shape: what VACUUM has to keep up with.
public struct TableHealth: Sendable {
    public let name: String
    public let live: Int
    public let dead: Int
    public let bytes: Int
    public let sinceVacuum: Duration?
    public let isVacuumed: Bool
}

struct ReadTables: PostgresStatement {
    static let sql = """
        SELECT s.relname, s.n_live_tup, s.n_dead_tup, pg_total_relation_size(s.relid),
               extract(epoch FROM clock_timestamp() - greatest(s.last_autovacuum, s.last_vacuum)
                   )::float8,
               current_setting('autovacuum')::boolean AND current_setting('track_counts')::boolean
                   AND NOT coalesce('autovacuum_enabled=false' = ANY (c.reloptions), false)
        FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
        WHERE s.relid IN ('tenure.job'::regclass, 'tenure.session'::regclass,
                          'tenure.subject'::regclass, 'tenure.queue_holders'::regclass,
                          'tenure.lane_holders'::regclass)
        ORDER BY s.n_dead_tup DESC
        """

    static func decode(_ row: borrowing PostgresRow) throws -> TableHealth {
        TableHealth(
            name: try row.decode(0), live: Int(try row.decode(1, as: Int64.self)),
            dead: Int(try row.decode(2, as: Int64.self)),
            bytes: Int(try row.decode(3, as: Int64.self)),
            sinceVacuum: try row.decode(4, as: Double?.self).map { .seconds($0) },
            isVacuumed: try row.decode(5))
    }
}
