import TenurePostgres

/// Busy lanes of a queue that may be shut: they are on hold, something runs in them, or their turn
/// comes later. Found by these, so that it costs nothing how many lanes there are; one that has
/// closed a moment ago is missing until a claim has met it.
struct ListShutLanes: PostgresStatement {
    static let sql = ListLanes.text(
        of: """
            (SELECT DISTINCT o.queue, o.lane AS name FROM tenure.lane_hold o
             WHERE o.queue = $1 AND o.until > clock_timestamp() ORDER BY o.lane LIMIT $4::bigint)
            UNION
            (SELECT j.queue, j.lane FROM tenure.job j
             WHERE j.session_id IS NOT NULL AND j.queue = $1 AND j.lane IS NOT NULL LIMIT 100)
            UNION
            (SELECT h.queue, h.lane FROM tenure.lane_holders h
             WHERE h.queue = $1 AND h.turn_at > clock_timestamp() AND h.turn_at < 'infinity'
             ORDER BY h.turn_at, h.lane LIMIT $4)
            """)
    let queue: QueueName
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append("")
        try parameters.append(true)
        try parameters.append(JobLimits.rows(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> LaneStatus {
        try ListLanes.decode(row)
    }
}
