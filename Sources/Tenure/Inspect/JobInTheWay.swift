import TenurePostgres

/// An unfinished job that another has to wait for, as people know it.
public struct JobInTheWay: Sendable, Hashable {
    public let id: JobID
    public let kind: JobKind
    public let key: String?

    /// `01990000-… (mail, key "17")`.
    var text: String {
        "\(id) (" + kind.rawValue + (key.map { ", key \"\($0)\"" } ?? "") + ")"
    }
}

extension JobInTheWay: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["id": id, "kind": kind, "key": key])
    }
}

/// Three unfinished jobs of these ids at most, or of those that run in a lane, the longest first.
struct NameJobs: PostgresStatement {
    static let sql = """
        SELECT j.id, j.kind, j.key FROM tenure.job j
        WHERE j.id = ANY ($1::uuid[] || (
                  SELECT h.running_ids FROM tenure.lane_holders h
                  WHERE h.queue = $2 AND h.lane = $3 ORDER BY h.n DESC LIMIT 1))
          AND ($3::text IS NULL OR j.queue = $2 AND j.lane = $3 AND j.state = 'running')
        ORDER BY j.claimed_at, j.id LIMIT 3
        """
    var ids: [JobID] = []
    var lane: (queue: QueueName, name: String)?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ids.map(\.uuid))
        try parameters.append(lane?.queue.rawValue)
        try parameters.append(lane?.name)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobInTheWay {
        JobInTheWay(
            id: JobID(try row.decode(0)), kind: JobKind(try row.decode(1, as: String.self)),
            key: try row.decode(2))
    }
}
