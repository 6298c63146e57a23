public import Tenure
public import TenureFoundation
import TenurePostgres

/// A schedule as it stands.
public struct ScheduleStatus: Sendable {
    public let name: String
    public let ticks: Ticks
    public let kind: JobKind
    public let queue: QueueName
    public let nextAt: Date
    public let firedAt: Date?
    /// How often it has fired.
    public let fired: Int
    public let pausedAt: Date?
    public let pausedBy: String?
    /// Whose code declares it (`Coordinator(owning:)`); nil for one that somebody has added.
    public let owner: String?
}

extension ScheduleStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var (every, cron, zone): (Duration?, String?, String?)
        switch ticks {
        case .every(let interval): every = interval
        case .cron(let expression, let place): (cron, zone) = (expression, place)
        }
        try encoder.write([
            "name": name, "everySeconds": every?.inSeconds, "cron": cron, "zone": zone,
            "kind": kind, "queue": queue, "nextAt": nextAt, "firedAt": firedAt, "fired": fired,
            "paused": pausedAt != nil, "pausedAt": pausedAt, "pausedBy": pausedBy,
            "owner": owner,
        ])
    }
}

struct ListSchedules: PostgresStatement {
    static let sql = """
        SELECT s.name, tenure.in_seconds(s.every), s.cron, s.zone, s.job ->> 'kind',
               coalesce(s.job ->> 'queue', 'default'), s.next_at, s.fired_at, s.fired,
               s.paused_at, s.paused_by, s.job ->> 'owner'
        FROM tenure.schedule s WHERE (s.name = $1 OR $1 IS NULL) AND s.name > $2
        ORDER BY s.name LIMIT $3
        """
    /// Of one name; nil for all.
    var name: String?
    /// Only those behind it.
    var after: String?
    /// Nil for all.
    var limit: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(name)
        // None has an empty name.
        try parameters.append(after ?? "")
        try parameters.append(try limit.map(JobLimits.rows))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ScheduleStatus {
        let every = try row.decode(1, as: Duration?.self)
        let ticks: Ticks =
            if let every {
                .every(every)
            } else {
                .cron(try row.decode(2), zone: try row.decode(3))
            }
        return ScheduleStatus(
            name: try row.decode(0), ticks: ticks,
            kind: JobKind(try row.decode(4, as: String?.self) ?? ""),
            queue: QueueName(try row.decode(5, as: String.self)), nextAt: try row.decode(6),
            firedAt: try row.decode(7), fired: Int(try row.decode(8, as: Int64.self)),
            pausedAt: try row.decode(9), pausedBy: try row.decode(10),
            owner: try row.decode(11))
    }
}

struct NextTicks: PostgresStatement {
    static let sql = "SELECT t.at FROM tenure.next_ticks($1, $2, $3, $4, $5) AS t (at)"
    let ticks: Ticks
    let after: Date
    let count: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try ticks.bind(&parameters)
        try parameters.append(after)
        try parameters.append(Int32(count))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Date { try row.decode(0) }
}
