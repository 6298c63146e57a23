import TenureFoundation
import TenurePostgres

/// Names of lanes that stand side by side: an index has them as one range.
enum LaneNames {
    case one(String)
    case prefix(String)

    var first: String {
        switch self {
        case .one(let name): name
        case .prefix(let prefix): prefix
        }
    }

    /// What comes behind all of them; nil: nothing that could be named.
    var end: String? {
        switch self {
        case .one(let name): return name + "\u{1}"
        case .prefix(let prefix):
            // Of a prefix that ends otherwise more is read than is wanted, to the queue's end.
            guard let last = prefix.unicodeScalars.last, last.value < 0x7F,
                let next = Unicode.Scalar(last.value + 1)
            else { return nil }
            var end = String.UnicodeScalarView(prefix.unicodeScalars.dropLast())
            end.append(next)
            return String(end)
        }
    }
}

/// Lanes by name, those too that are only on hold.
struct ListLanes: PostgresStatement {
    static let sql = text(
        of: """
            -- In order, by their indexes: no more of them is read than there is to be shown. The
            -- limits are none; without, the planner would have all of them sorted.
            (SELECT l.queue, l.name FROM tenure.lane l
             WHERE l.queue = $1 AND l.name >= $2 AND l.name > $5 AND (l.queue, l.name) < ($6, $7)
             ORDER BY l.name LIMIT nullif($4::bigint, $4))
            UNION ALL
            -- By a look at each: there are few that are only on hold.
            (SELECT DISTINCT o.queue, o.lane FROM tenure.lane_hold o
             WHERE o.queue = $1 AND o.lane >= $2 AND o.lane > $5 AND (o.queue, o.lane) < ($6, $7)
               AND o.until > clock_timestamp()
               AND (SELECT l.name FROM tenure.lane l
                    WHERE l.queue = o.queue AND l.name = o.lane) IS NULL
             ORDER BY o.lane LIMIT nullif($4::bigint, $4))
            """)

    /// - Parameter names: which, as rows of a queue and a name. $1 is the queue, $2 what the names
    ///   begin with, $3 whether only busy ones are wanted, $4 how many.
    static func text(of names: String) -> String {
        """
        SELECT n.name, l.max_running, tenure.in_seconds(l.min_interval), l.set_by,
               coalesce(jobs.running, 0),
               coalesce(jobs.due, 0), coalesce(jobs.later, 0),
               CASE WHEN tenure.is_shut(h.next_at, l.min_interval, l.burst, clock_timestamp())
                    THEN h.next_at - tenure.lane_pause(l.min_interval)
                              * (tenure.lane_burst(l.min_interval, l.burst) - 1) END,
               o.until, o.reason, o.held_by, l.burst, l.weight, l.is_strict,
               (SELECT r.id FROM tenure.job r
                WHERE l.is_strict AND r.id = ANY (h.running_ids) AND r.state <> 'running'
                  AND r.queue = n.queue AND r.lane = n.name LIMIT 1)
        FROM (
            \(names)
        ) AS n
        LEFT JOIN LATERAL (
            SELECT l.* FROM tenure.lane l
            WHERE l.queue = n.queue AND l.name = n.name OFFSET 0) AS l ON true
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
        -- No reason for the planner to think that few are left, and to read them all at once.
        WHERE CASE WHEN NOT starts_with(n.name, $2) THEN false
                   WHEN $3 THEN l.set_at IS NOT NULL OR o.until IS NOT NULL
                                OR jobs.running + jobs.due + jobs.later > 0
                   ELSE true END
        ORDER BY n.name LIMIT $4
        """
    }
    let queue: QueueName
    let names: LaneNames
    var onlyBusy = false
    let limit: Int
    /// Only those behind it.
    var after: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(names.first)
        try parameters.append(onlyBusy)
        try parameters.append(JobLimits.rows(limit))
        // No lane has an empty name.
        try parameters.append(after ?? "")
        try parameters.append(names.end == nil ? queue.rawValue + "\u{1}" : queue.rawValue)
        try parameters.append(names.end ?? "")
    }

    static func decode(_ row: borrowing PostgresRow) throws -> LaneStatus {
        LaneStatus(
            name: try row.decode(0), maxRunning: try row.decode(1, as: Int32?.self).map(Int.init),
            minInterval: try row.decode(2),
            burst: try row.decode(11, as: Int32?.self).map(Int.init),
            weight: try row.decode(12, as: Int16?.self).map(Int.init),
            order: try row.decode(13, as: Bool?.self).map { $0 ? .strict : .free },
            behind: try row.decode(14, as: UUID?.self).map { JobID($0) }, setBy: try row.decode(3),
            running: Int(try row.decode(4, as: Int64.self)),
            due: Int(try row.decode(5, as: Int64.self)),
            later: Int(try row.decode(6, as: Int64.self)), opensAt: try row.decode(7),
            heldUntil: try row.decode(8), holdReason: try row.decode(9),
            heldBy: try row.decode(10))
    }
}
