/// The id that the current transaction commits under.
struct ReadTransactionID: PostgresStatement {
    static let sql = "SELECT pg_current_xact_id()"

    static func decode(_ row: borrowing PostgresRow) throws -> PostgresTransactionID {
        try row.decode(0)
    }
}

/// Something that a clean restart keeps and a crash changes: a crashed server starts its
/// statistics anew. Another server has another: a standby that took over shares the identifier of
/// its primary, and is on another timeline.
///
/// Ids are given out before anything of them is on disk, here or on a standby. After a crash or a
/// failover the server may give the id of a transaction that left no trace to another one, and
/// then says "committed" of that one.
struct ReadIncarnation: PostgresStatement {
    static let sql = """
        SELECT concat_ws('/', control.system_identifier,
                         CASE WHEN pg_is_in_recovery() THEN 'standby'
                              ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END,
                         extract(epoch FROM stats.stats_reset))
        FROM pg_control_system() AS control, pg_stat_bgwriter AS stats
        """

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// What the server knows of a transaction; no row's value when it is too old.
struct ReadCommitStatus: PostgresStatement {
    static let sql = "SELECT pg_xact_status($1::text::xid8)"
    let xid: PostgresTransactionID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(String(xid.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String? { try row.decode(0) }
}
