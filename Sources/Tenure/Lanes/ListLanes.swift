import TenureFoundation
import TenurePostgres

/// Lanes by name, those too that are only on hold.
struct ListLanes: PostgresStatement {
    static let sql = """
        WITH named AS (
            SELECT l.queue, l.name FROM tenure.lane l WHERE l.queue = $1
            UNION
            SELECT o.queue, o.lane FROM tenure.lane_hold o
            WHERE o.queue = $1 AND o.until > clock_timestamp()
        )
        SELECT n.name, l.max_running, tenure.in_seconds(l.min_interval), l.set_by,
               coalesce(jobs.running, 0),
               coalesce(jobs.due, 0), coalesce(jobs.later, 0),
               CASE WHEN tenure.is_shut(h.next_at, l.min_interval, l.burst, clock_timestamp())
                    THEN h.next_at - tenure.lane_pause(l.min_interval)
                              * (tenure.lane_burst(l.min_interval, l.burst) - 1) END,
               o.until, o.reason, o.held_by, l.burst
        FROM named n
        LEFT JOIN tenure.lane l ON l.queue = n.queue AND l.name = n.name
        LEFT JOIN LATERAL (
            SELECT h.next_at, h.running_ids FROM tenure.lane_holders h
            WHERE h.queue = n.queue AND h.lane = n.name ORDER BY h.n DESC LIMIT 1) AS h ON true
        LEFT JOIN LATERAL (
            SELECT o.until, o.reason, o.held_by FROM tenure.lane_hold o
            WHERE o.queue = n.queue AND o.lane = n.name AND o.until > clock_timestamp()
            ORDER BY o.until DESC LIMIT 1) AS o ON true
        LEFT JOIN LATERAL (
            SELECT (SELECT count(*) FROM tenure.job r
                    WHERE r.id = ANY (h.running_ids) AND r.state = 'running'
                      AND r.queue = n.queue AND r.lane = n.name) AS running,
                   count(*) FILTER (WHERE j.run_at <= clock_timestamp()) AS due,
                   count(*) FILTER (WHERE j.run_at > clock_timestamp()) AS later
            FROM tenure.job j
            WHERE j.queue = n.queue AND j.lane = n.name AND j.lane IS NOT NULL
              AND j.state IN ('scheduled', 'available', 'retryable')) AS jobs ON true
        WHERE starts_with(n.name, $2) AND ($3::text IS NULL OR n.name = $3)
          AND (NOT $4 OR l.set_at IS NOT NULL OR o.until IS NOT NULL
               OR jobs.running + jobs.due + jobs.later > 0)
        ORDER BY n.name LIMIT $5
        """
    let queue: QueueName
    let prefix: String
    let name: String?
    let onlyBusy: Bool
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(prefix)
        try parameters.append(name)
        try parameters.append(onlyBusy)
        try parameters.append(JobLimits.rows(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> LaneStatus {
        LaneStatus(
            name: try row.decode(0), maxRunning: try row.decode(1, as: Int32?.self).map(Int.init),
            minInterval: try row.decode(2),
            burst: try row.decode(11, as: Int32?.self).map(Int.init), setBy: try row.decode(3),
            running: Int(try row.decode(4, as: Int64.self)),
            due: Int(try row.decode(5, as: Int64.self)),
            later: Int(try row.decode(6, as: Int64.self)), opensAt: try row.decode(7),
            heldUntil: try row.decode(8), holdReason: try row.decode(9),
            heldBy: try row.decode(10))
    }
}
