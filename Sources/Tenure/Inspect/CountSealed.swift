// docs/decisions/encryption.md

import TenurePostgres

/// The jobs of a kind of which something is sealed with one key. A job may count for several keys.
public struct SealedJobs: Sendable {
    /// The key's name.
    public let key: String
    public let kind: JobKind
    /// Unfinished ones, whose payload, steps or signals are, the payload that a letter tells of, or
    /// the result of one that they wait for; what ends of batches enqueue, and results of batches
    /// that go on.
    public let unfinished: Int
    /// Those in history whose payload, result or steps are, or the payload that a letter tells of:
    /// they can be run again, and read, while there is the key.
    public let finished: Int
}

extension SealedJobs: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "key": key, "kind": kind, "unfinished": unfinished, "finished": finished,
        ])
    }
}

extension Inspector {
    /// How many jobs are sealed with which key, by kind. Reads all of them: for a change of keys,
    /// not for a dashboard.
    public func sealedJobs() async throws -> [SealedJobs] { try await pool.ask(CountSealed()) }
}

struct CountSealed: PostgresStatement {
    static let sql = """
        WITH sealed AS (
            SELECT j.id, j.kind, j.payload #>> '{tenure:sealed,key}' AS key, true AS unfinished
            FROM tenure.job j WHERE j.payload ? 'tenure:sealed'
            UNION ALL
            SELECT j.id, j.kind, j.payload #>> '{letter,payload,tenure:sealed,key}', true
            FROM tenure.job j WHERE j.payload #> '{letter,payload}' ? 'tenure:sealed'
            UNION ALL
            SELECT j.id, j.kind, s.result #>> '{tenure:sealed,key}', true
            FROM tenure.job_step s JOIN tenure.job j ON j.id = s.job_id
            WHERE s.result ? 'tenure:sealed'
            UNION ALL
            SELECT j.id, j.kind, s.payload #>> '{tenure:sealed,key}', true
            FROM tenure.job_signal s JOIN tenure.job j ON j.id = s.job_id
            WHERE s.payload ? 'tenure:sealed'
            UNION ALL
            SELECT h.id, h.kind, h.payload #>> '{tenure:sealed,key}', false
            FROM tenure.job_history h WHERE h.payload ? 'tenure:sealed'
            UNION ALL
            SELECT h.id, h.kind, h.result #>> '{tenure:sealed,key}', false
            FROM tenure.job_history h WHERE h.result ? 'tenure:sealed'
            UNION ALL
            SELECT h.id, h.kind, h.payload #>> '{letter,payload,tenure:sealed,key}', false
            FROM tenure.job_history h WHERE h.payload #> '{letter,payload}' ? 'tenure:sealed'
            UNION ALL
            SELECT h.id, h.kind, s.result #>> '{tenure:sealed,key}', false
            FROM tenure.job_step s JOIN tenure.job_history h ON h.id = s.job_id
            WHERE s.result ? 'tenure:sealed'
            -- What is read later: what the end of a batch enqueues, the results that it is told of,
            -- and those of whom a job waits for.
            UNION ALL
            SELECT b.id, f.job ->> 'kind', f.job #>> '{payload,tenure:sealed,key}', true
            FROM tenure.batch b CROSS JOIN LATERAL jsonb_array_elements(b.follow_up) AS f (job)
            WHERE b.ended_at IS NULL
            UNION ALL
            SELECT h.id, h.kind, h.result #>> '{tenure:sealed,key}', true
            FROM tenure.job_history h JOIN tenure.batch b ON b.id = h.batch_id
            WHERE h.result ? 'tenure:sealed'
              AND (b.ended_at IS NULL
                   OR EXISTS (SELECT FROM tenure.job f WHERE f.parent_id = b.id))
            UNION ALL
            SELECT j.id, j.kind, e.result #>> '{tenure:sealed,key}', true
            FROM tenure.job_after a
            JOIN tenure.job j ON j.id = a.job_id
            JOIN tenure.job_end e ON e.id = a.needs
            WHERE e.result ? 'tenure:sealed'
        )
        SELECT s.key, s.kind, count(DISTINCT s.id) FILTER (WHERE s.unfinished),
               count(DISTINCT s.id) FILTER (WHERE NOT s.unfinished)
        FROM sealed s WHERE s.key IS NOT NULL GROUP BY s.key, s.kind ORDER BY s.key, s.kind
        """

    static func decode(_ row: borrowing PostgresRow) throws -> SealedJobs {
        SealedJobs(
            key: try row.decode(0), kind: JobKind(try row.decode(1, as: String.self)),
            unfinished: Int(try row.decode(2, as: Int64.self)),
            finished: Int(try row.decode(3, as: Int64.self)))
    }
}
