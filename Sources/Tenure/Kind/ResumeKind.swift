import TenurePostgres

/// Lets a kind go on; a row when it was paused, with the queues whose workers run it. Its deaths
/// are forgotten: the breaker counts anew.
struct ResumeKind: PostgresStatement {
    static let sql = """
        WITH open AS (
            UPDATE tenure.kind k SET paused_at = NULL, paused_by = NULL, reason = NULL
            WHERE k.name = $1 AND k.paused_at IS NOT NULL RETURNING k.name
        ), forgotten AS (
            DELETE FROM tenure.kind_death d USING open o WHERE d.kind = o.name
        )
        SELECT array(SELECT DISTINCT q.name FROM tenure.session s, unnest(s.queues) AS q (name)
                     WHERE s.ended_at IS NULL AND o.name = ANY (s.kinds))
        FROM open o
        """
    let kind: JobKind

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> [QueueName] {
        try row.decode(0, as: [String].self).map { QueueName($0) }
    }
}
