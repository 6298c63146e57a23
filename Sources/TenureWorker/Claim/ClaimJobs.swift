import Tenure
import TenureFoundation
import TenurePostgres

/// Takes jobs of a queue for a live session: at most as many as asked for.
struct ClaimJobs: PostgresBulkStatement {
    static let columns = """
        c.id, c.fence, c.kind, c.key, c.generation, c.payload, c.payload_version,
        c.priority, c.run_at, c.attempt, c.max_attempts, c.runs, c.lane, c.batch_id,
        c.parent_id, c.trace, c.created_at, c.queue, c.place, c.claimed_at, c.turn
        """
    static let sql = """
        SELECT \(columns) FROM tenure.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS c
        """
    let request: ClaimRequest

    func bind(_ parameters: inout PostgresParameters) throws {
        try request.bind(&parameters)
        try parameters.append(request.position.map { $0.runTimes + [$0.turn] })
        try parameters.append(request.position?.ids)
        try parameters.append(Int32(request.ahead))
        try parameters.append(request.kinds.map(\.newestVersion))
        try parameters.append(request.over.map(\.rawValue))
        try parameters.append(request.passed.rawValue)
    }

    static func glance(at rows: borrowing PostgresRows) throws -> ClaimGlance {
        var glance = ClaimGlance()
        try rows.visit { row in
            glance.add(Fence(try row.decode(1, as: Int64.self)))
            if try row.decode(12, as: String?.self) == nil {
                glance.pass(
                    try row.decode(7), try row.decode(8), try row.decode(0, as: UUID.self))
            } else {
                glance.pass(laneInTurn: try row.decode(20))
            }
        }
        return glance
    }

    static func decodeAll(_ rows: borrowing PostgresRows) throws -> [ClaimedJob] {
        try rows.map { try decode($0) }
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ClaimedJob {
        let (runAt, createdAt, claimedAt): (Date, Date, Date) =
            (try row.decode(8), try row.decode(16), try row.decode(19))
        var run = RunInfo(
            job: JobID(try row.decode(0, as: UUID.self)),
            kind: JobKind(try row.decode(2, as: String.self)),
            queue: QueueName(try row.decode(17, as: String.self)), key: try row.decode(3),
            generation: try row.decode(4, as: Int64?.self).map { Generation($0) },
            fence: Fence(try row.decode(1, as: Int64.self)),
            attempt: Int(try row.decode(9, as: Int32.self)))
        let waited = claimedAt.timeIntervalSince(max(runAt, createdAt))
        run.waited = .microseconds(Int64(max(0, waited) * 1_000_000))
        var job = ClaimedJob(
            run: run, payload: try row.decode(5),
            payloadVersion: try row.decode(6), priority: try row.decode(7), runAt: runAt,
            maxAttempts: Int(try row.decode(10, as: Int32.self)),
            runs: Int(try row.decode(11, as: Int32.self)), lane: try row.decode(12),
            createdAt: createdAt)
        job.batchID = try row.decode(13)
        job.parent = try row.decode(14, as: UUID?.self).map { JobID($0) }
        job.trace = try row.decode(15)
        job.place = try row.decode(18)
        job.turn = try row.decode(20)
        return job
    }
}

extension ClaimRequest {
    /// $1 to $4 of the statements that claim from one queue.
    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
        try parameters.append(queue.rawValue)
        try parameters.append(kinds.map(\.kind.rawValue))
        try parameters.append(Int32(wanted))
    }
}

/// Lets jobs run again that another release had to hold, where this one reads them.
struct ReleaseHeld: PostgresStatement {
    static let sql = "SELECT h.released, h.queues FROM tenure.release_held($1, $2, $3) AS h"
    let kinds: [ReadableKind]
    let release: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kinds.map(\.kind.rawValue))
        try parameters.append(release)
        try parameters.append(kinds.map(\.newestVersion))
    }

    static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (released: Int, queues: [QueueName]) {
        (
            Int(try row.decode(0, as: Int32.self)),
            try row.decode(1, as: [String].self).map { QueueName($0) }
        )
    }
}
