import TenureFoundation
import TenurePostgres

/// One job with its session and its subject, unfinished or from history. What superseded a job
/// that ran is found by its key: the oldest generation at or above the floor.
struct ReadJob: PostgresStatement {
    static let sql = """
        WITH story AS (
            SELECT j.id, CASE WHEN j.state = 'running' AND NOT tenure.has_begun(
                       j.session_id, j.queue, j.fence) THEN 'claimed'
                        ELSE j.state::text END AS status,
                   j.ending_at IS NOT NULL AS cancelling, j.kind,
                   j.queue, j.key, j.generation, j.priority, j.attempt, j.max_attempts, j.run_at,
                   j.created_at, j.claimed_at, NULL::timestamptz AS finished_at, j.payload,
                   j.payload_version, j.runs, j.lane, j.fence, j.session_id, j.not_after,
                   j.ending_at, coalesce(j.ending_by, j.hold_reason) AS reason,
                   NULL::jsonb AS result, j.batch_id, j.parent_id, j.retry_of,
                   NULL::uuid AS superseded_by, j.trace, NULL::uuid AS retried_as, j.hold_versions,
                   NULL::uuid AS letter_id
            FROM tenure.job_seen j WHERE j.id = $1
            UNION ALL
            SELECT h.id, h.outcome::text, false, h.kind, h.queue, h.key, h.generation, h.priority,
                   h.attempt, h.max_attempts, h.run_at, h.created_at, h.claimed_at, h.finished_at,
                   h.payload, h.payload_version, h.runs, h.lane, h.fence, h.session_id, NULL, NULL,
                   h.reason, h.result, h.batch_id, h.parent_id, h.retry_of, h.superseded_by,
                   h.trace, h.retried_as, NULL, h.letter_id
            FROM tenure.job_history h WHERE h.id = $1
        )
        SELECT s.id, s.status, s.cancelling, s.kind, s.queue, s.key, s.generation, s.priority,
               s.attempt, s.max_attempts, s.run_at, s.created_at, s.claimed_at, s.finished_at,
               s.not_after, s.payload_version, s.runs, s.lane, s.fence, s.session_id, w.name,
               w.ended_at, s.payload, s.ending_at, s.reason, s.result, s.batch_id, s.parent_id,
               s.retry_of, coalesce(s.superseded_by, newer.id), s.trace, k.issued, k.floor,
               k.committed, tenure.in_seconds(w.lease),
               CASE WHEN isfinite(w.beaten_at) THEN greatest(
                   extract(epoch FROM clock_timestamp() - w.beaten_at), 0)::float8 END,
               array(SELECT f.field FROM tenure.secret_field f WHERE f.kind = s.kind
                     UNION SELECT 'letter.payload.' || f.field FROM tenure.secret_field f
                     WHERE f.kind = s.payload #>> '{letter,kind}'), s.retried_as,
               coalesce(s.hold_versions, '{}'), s.letter_id,
               array(SELECT t.tag FROM tenure.job_tag t WHERE t.job_id = s.id ORDER BY t.tag)
        FROM story s
        LEFT JOIN tenure.session w ON w.id = s.session_id
        LEFT JOIN LATERAL tenure.subject_of(s.kind, s.key) AS k ON true
        LEFT JOIN LATERAL (
            SELECT n.id FROM tenure.job n
            WHERE s.status = 'superseded' AND n.kind = s.kind AND n.key = s.key
              AND n.generation > s.generation AND n.generation >= k.floor
            ORDER BY n.generation LIMIT 1) AS newer ON true
        LIMIT 1
        """
    let id: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobDetail {
        JobDetail(
            summary: try ListJobs.summary(row, retriedAs: 37),
            payload: try row.decode(22, as: PostgresJSON.self).text,
            payloadVersion: try row.decode(15), runs: Int(try row.decode(16, as: Int32.self)),
            lane: try row.decode(17), fence: try row.decode(18, as: Int64?.self).map { Fence($0) },
            session: try row.decode(19, as: Int64?.self).map { SessionID($0) },
            worker: try row.decode(20), workerEndedAt: try row.decode(21),
            endingAt: try row.decode(23),
            reason: try row.decode(24), result: try row.decode(25, as: PostgresJSON?.self)?.text,
            batch: try row.decode(26), parent: try row.decode(27, as: UUID?.self).map { JobID($0) },
            retryOf: try row.decode(28, as: UUID?.self).map { JobID($0) },
            supersededBy: try row.decode(29, as: UUID?.self).map { JobID($0) },
            trace: try row.decode(30), subject: try subject(row),
            lease: try row.decode(34),
            sinceBeat: try row.decode(35, as: Double?.self).map { .seconds($0) },
            secretFields: SecretFields(try row.decode(36, as: [String].self)),
            holdVersions: try row.decode(38),
            letter: try row.decode(39, as: UUID?.self).map { JobID($0) },
            tags: try row.decode(40))
    }

    private static func subject(_ row: borrowing PostgresRow) throws -> JobSubject? {
        guard let issued = try row.decode(31, as: Int64?.self) else { return nil }
        return JobSubject(
            issued: Generation(issued), floor: Generation(try row.decode(32)),
            committed: Generation(try row.decode(33)))
    }
}
