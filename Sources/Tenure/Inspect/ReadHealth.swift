public import TenureFoundation
import TenurePostgres

/// The settings and facts that the queue's promises stand on.
public struct DatabaseHealth: Sendable {
    /// `PG_VERSION_NUM`: 170002 is 17.2.
    public let version: Int
    public let synchronousCommit: String
    public let fsync: Bool
    public let fullPageWrites: Bool
    /// A standby takes no jobs.
    public let isReadOnly: Bool
    public let maxConnections: Int
    /// How many of those are kept for superusers, or for a role that a service gives out to nobody.
    public let reservedConnections: Int
    public let connections: Int
    /// Transactions that are open here now, and of which the user may not see for how long:
    /// `pg_read_all_stats` would show it.
    public let hiddenTransactions: Int
    /// The server's clock when it answered.
    public let clock: Date
    public let backend: Int32
    /// What the user's transactions run at that don't say: `repeatable read`.
    public let defaultIsolation: String
    /// Whoever else has a default above READ COMMITTED in this database: `role web: serializable`.
    public let otherIsolations: [String]
}

struct ReadHealth: PostgresStatement {
    static let sql = """
        SELECT current_setting('server_version_num')::integer,
               current_setting('synchronous_commit'), current_setting('fsync')::boolean,
               current_setting('full_page_writes')::boolean,
               pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
               current_setting('max_connections')::integer,
               current_setting('superuser_reserved_connections')::integer
                   + coalesce(current_setting('reserved_connections', true)::integer, 0),  -- 16
               seen.connections, seen.hidden, clock_timestamp(), pg_backend_pid(),
               (SELECT s.reset_val FROM pg_settings s  -- as it was before the session was pinned
                WHERE s.name = 'default_transaction_isolation'),
               array(SELECT concat(CASE WHEN r.setrole = 0 THEN 'database ' || current_database()
                                        ELSE 'role ' || pg_get_userbyid(r.setrole) END,
                                   ': ', split_part(c.setting, '=', 2))
                     FROM pg_db_role_setting r, unnest(r.setconfig) AS c (setting)
                     WHERE r.setdatabase IN (0, (SELECT d.oid FROM pg_database d
                                                 WHERE d.datname = current_database()))
                       AND c.setting LIKE 'default_transaction_isolation=%'
                       AND c.setting NOT LIKE '%committed' ORDER BY 1)
        FROM (SELECT count(*) FILTER (WHERE a.backend_type = 'client backend' OR a.is_hidden)
                         AS connections,
                     count(*) FILTER (WHERE a.is_hidden AND a.datname = current_database()
                         AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)) AS hidden
              -- Of what is another's, only the server's own processes have no user.
              FROM (SELECT p.backend_type, p.datname, p.backend_xmin, p.backend_xid,
                           p.backend_type IS NULL AND p.usesysid IS NOT NULL AS is_hidden
                    FROM pg_stat_activity p) AS a) AS seen
        """

    static func decode(_ row: borrowing PostgresRow) throws -> DatabaseHealth {
        DatabaseHealth(
            version: Int(try row.decode(0, as: Int32.self)),
            synchronousCommit: try row.decode(1), fsync: try row.decode(2),
            fullPageWrites: try row.decode(3), isReadOnly: try row.decode(4),
            maxConnections: Int(try row.decode(5, as: Int32.self)),
            reservedConnections: Int(try row.decode(6, as: Int32.self)),
            connections: Int(try row.decode(7, as: Int64.self)),
            hiddenTransactions: Int(try row.decode(8, as: Int64.self)),
            clock: try row.decode(9), backend: try row.decode(10),
            defaultIsolation: try row.decode(11), otherIsolations: try row.decode(12))
    }
}
