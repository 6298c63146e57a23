import Tenure
import TenureFoundation
import Web

/// The redirects of a job that goes on in another host's lane, or in a later turn of its own. It is
/// kept in the database by the run that goes on: were it in the payload, whoever enqueues could
/// make one host's content another's item.
struct Trail: Sendable {
    struct Hop: Sendable, Codable {
        let url: String
        let status: Int
    }
    /// The URLs that were asked so far, each with the redirect it answered.
    var hops: [Hop] = []
    /// What is to be asked next.
    var next: String
    /// Not for its head alone: that was refused.
    var asksWhole = false

    init(next: String) { self.next = next }
}

/// How far an earlier run of a job has come that began at a URL.
struct ReadTrail: PostgresStatement {
    static let sql = """
        SELECT t.hops, t.next, t.asks_whole FROM content.trail t WHERE t.job = $1 AND t.start = $2
        """
    let job: UUID
    let start: WebURL

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job)
        try parameters.append(start.href)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Trail {
        var trail = Trail(next: try row.decode(1))
        let hops = try row.decode(0, as: PostgresJSON.self)
        trail.hops = try JSONDecoder().decode([Trail.Hop].self, from: Data(hops.bytes))
        trail.asksWhole = try row.decode(2)
        return trail
    }
}

/// Keeps how far a job has come, and forgets some whose jobs have long been over without an answer:
/// a job that is still there begins again at its start.
struct KeepTrail: PostgresStatement {
    static let sql = """
        WITH old AS (
            DELETE FROM content.trail t USING (
                SELECT o.job FROM content.trail o
                WHERE o.kept_at < clock_timestamp() - interval '7 days' AND o.job <> $1
                ORDER BY o.kept_at LIMIT 10 FOR UPDATE SKIP LOCKED
            ) AS o
            WHERE t.job = o.job
        )
        INSERT INTO content.trail (job, start, hops, next, asks_whole) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (job) DO UPDATE
        SET start = EXCLUDED.start, hops = EXCLUDED.hops, next = EXCLUDED.next,
            asks_whole = EXCLUDED.asks_whole, kept_at = EXCLUDED.kept_at
        """
    let job: UUID
    let start: WebURL
    let trail: Trail

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job)
        try parameters.append(start.href)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(trail.hops))))
        try parameters.append(trail.next)
        try parameters.append(trail.asksWhole)
    }
}

/// The chain has come to an answer.
struct DropTrail: PostgresStatement {
    static let sql = "DELETE FROM content.trail t WHERE t.job = $1"
    let job: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job) }
}
