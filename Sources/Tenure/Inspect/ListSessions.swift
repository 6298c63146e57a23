public import TenureFoundation
import TenurePostgres

/// One run of a worker or coordinator process.
public struct SessionStatus: Sendable {
    public enum State: String, Sendable, Codable {
        case live
        /// An operator has asked it to end, and it has not ended yet.
        case stopping
        /// Its beat stands still for longer than its lease, by the database's clock; nobody has
        /// declared it dead yet. For people: no rule looks at it.
        case silent
        /// Closed by its own will.
        case closed
        /// Declared dead by another session.
        case dead
    }
    public let id: SessionID
    public let role: String
    public let name: String
    public let version: String
    public let state: State
    /// Whether it has the lead, for coordinators.
    public let leads: Bool
    public let lease: Duration
    public let startedAt: Date
    public let endedAt: Date?
    /// Since its last beat, by the database's clock.
    public let sinceBeat: Duration
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
    public let queues: [QueueName]
    public let kinds: [JobKind]
    /// The newest payload version that it reads of each of its kinds; empty: it doesn't say.
    public let versions: [Int16]
    /// Who asked it to stop.
    public let stopBy: String?
    /// How far its machine's clock was ahead of the database's when it opened.
    public let clockAhead: Duration?
}

extension SessionStatus {
    /// Whether it claims jobs of a kind whose payload has a version.
    func reads(_ kind: JobKind, _ version: Int16) -> Bool {
        guard let place = kinds.firstIndex(of: kind) else { return false }
        return !versions.indices.contains(place) || version <= versions[place]
    }

    /// Whether it claims a job, by its kind, its payload's version and who could not run it.
    func takes(_ job: JobDetail) -> Bool {
        reads(job.summary.kind, job.payloadVersion) && !job.holdVersions.contains(version)
    }
}

extension SessionStatus {
    /// Where a list goes on behind it.
    package var place: TimedPlace<SessionID> { TimedPlace(at: endedAt, id: id) }
}

extension SessionStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id.rawValue, "role": role, "name": name, "version": version, "state": state,
            "leads": leads, "leaseSeconds": lease.inSeconds,
            "sinceBeatSeconds": sinceBeat.inSeconds, "startedAt": startedAt, "endedAt": endedAt,
            "running": running, "claimed": claimed, "queues": queues, "kinds": kinds,
            "versions": versions.map(Int.init), "stopBy": stopBy,
        ])
    }
}

/// Live sessions first, then the latest that ended.
struct ListSessions: PostgresStatement {
    static let sql = """
        SELECT s.id, s.role, s.name, s.version,
               CASE WHEN s.died THEN 'dead' WHEN s.ended_at IS NOT NULL THEN 'closed'
                    WHEN s.beaten_at < clock_timestamp() - tenure.in_seconds(s.lease)
                    THEN 'silent'
                    WHEN s.stop_at IS NOT NULL THEN 'stopping' ELSE 'live' END,
               EXISTS (SELECT FROM tenure.leader l WHERE l.session = s.id AND s.ended_at IS NULL),
               tenure.in_seconds(s.lease), s.started_at, s.ended_at,
               CASE WHEN isfinite(s.beaten_at) THEN greatest(
                   extract(epoch FROM clock_timestamp() - s.beaten_at), 0)::float8 ELSE 0 END,
               held.running, s.queues, s.kinds, s.stop_by,
               extract(epoch FROM s.clock_ahead)::float8, held.claims - held.running, s.versions
        FROM tenure.session s CROSS JOIN LATERAL (
            SELECT count(*) AS claims, count(*) FILTER (WHERE tenure.has_begun(
                       j.session_id, j.queue, j.fence)) AS running
            FROM tenure.run_seen j
            WHERE j.session_id = s.id AND ($3::text IS NULL OR j.queue = $3)) AS held
        WHERE ($3::text IS NULL OR $3 = ANY (s.queues))
          AND (s.ended_at IS NULL OR $1
               OR EXISTS (SELECT FROM tenure.run_seen j WHERE j.session_id = s.id))
          -- Those that live come first: as if they ended at the end of all times.
          AND coalesce(s.ended_at, 'infinity') <= coalesce($4::timestamptz, 'infinity')
          AND ($5::bigint IS NULL OR s.id > $5
               OR coalesce(s.ended_at, 'infinity') < coalesce($4::timestamptz, 'infinity'))
        ORDER BY coalesce(s.ended_at, 'infinity') DESC, s.id LIMIT $2
        """
    let ended: Bool
    let limit: Int
    /// Only those that subscribe to it, with what they run of it.
    var queue: QueueName?
    /// Only those behind it.
    var after: TimedPlace<SessionID>?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ended)
        try parameters.append(JobLimits.rows(limit))
        try parameters.append(queue?.rawValue)
        try parameters.append(after?.at)
        try parameters.append(after?.id.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SessionStatus {
        let state = try row.decode(4, as: String.self)
        return SessionStatus(
            id: SessionID(try row.decode(0)), role: try row.decode(1), name: try row.decode(2),
            version: try row.decode(3), state: SessionStatus.State(rawValue: state) ?? .silent,
            leads: try row.decode(5), lease: try row.decode(6), startedAt: try row.decode(7),
            endedAt: try row.decode(8), sinceBeat: .seconds(try row.decode(9, as: Double.self)),
            running: Int(try row.decode(10, as: Int64.self)),
            claimed: Int(try row.decode(15, as: Int64.self)),
            queues: try row.decode(11, as: [String].self).map { QueueName($0) },
            kinds: try row.decode(12, as: [String].self).map { JobKind($0) },
            versions: try row.decode(16), stopBy: try row.decode(13),
            clockAhead: try row.decode(14, as: Double?.self).map { .seconds($0) })
    }
}
