public import TenureFoundation
import TenurePostgres

/// Another job that one waits for, or that waits for it; or a key that one waits for.
public struct JobLink: Sendable, Hashable {
    /// Of a wait for a key: an id of its own, which no job has.
    public let job: JobID
    /// What is waited for, where that is a key.
    public let key: AwaitedKey?
    /// Nil where history has dropped it.
    public let kind: JobKind?
    /// Where it stands; nil where history has dropped it. Of a key: how the wait for it ended; nil
    /// where it has not.
    public let status: JobStatus?
    /// However the one ends that is waited for, the other starts: ``Predecessor/ended(_:)``.
    public let goesOn: Bool
    /// Of one that is waited for.
    public let endedAt: Date?
}

/// Jobs at the other ends of a job's waits.
public struct JobLinks: Sendable, Hashable {
    /// How many are listed.
    public static let most = 100
    /// How many there are.
    public let count: Int
    /// Of those that are waited for, how many have not ended.
    public let open: Int
    /// The first hundred; of those that are waited for the ones that have not ended come first.
    public let jobs: [JobLink]

    static let none = JobLinks([])

    init(_ rows: [(link: JobLink, count: Int, open: Int)]) {
        count = rows.first?.count ?? 0
        open = rows.first?.open ?? 0
        jobs = rows.map(\.link)
    }
}

/// What a job waits for, or has waited for.
struct ListPredecessors: PostgresStatement {
    static let sql = """
        SELECT w.needs, coalesce(j.kind, h.kind), coalesce(w.outcome, j.state::text), w.goes_on,
               w.ended_at, w.number, w.open, k.kind, k.key, k.generation
        FROM (
            SELECT a.needs, a.made, a.goes_on, e.outcome::text, e.ended_at,
                   count(*) OVER () AS number,
                   count(*) FILTER (WHERE e.id IS NULL) OVER () AS open
            FROM tenure.job_after a
            LEFT JOIN tenure.job_end e ON e.id = a.needs AND e.made = a.made
            WHERE a.job_id = $1 ORDER BY e.ended_at NULLS FIRST, a.needs LIMIT 100) AS w
        LEFT JOIN LATERAL (
            SELECT j.kind, j.state FROM tenure.job_seen j WHERE j.id = w.needs) AS j ON true
        LEFT JOIN LATERAL (
            SELECT h.kind FROM tenure.job_history h
            WHERE h.id = w.needs AND h.created_at = w.made LIMIT 1) AS h ON true
        LEFT JOIN tenure.key_wait k ON k.id = w.needs
        ORDER BY w.ended_at NULLS FIRST, w.needs
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (link: JobLink, count: Int, open: Int) {
        (
            JobLink(
                job: JobID(try row.decode(0)), key: try AwaitedKey(of: row, at: 7),
                kind: try row.decode(1, as: String?.self).map { JobKind($0) },
                status: try row.decode(2, as: String?.self).map { try JobStatus(text: $0) },
                goesOn: try row.decode(3), endedAt: try row.decode(4)),
            Int(try row.decode(5, as: Int64.self)), Int(try row.decode(6, as: Int64.self))
        )
    }
}

extension AwaitedKey {
    /// From three columns: kind, key and generation; nil where they are.
    package init?(of row: borrowing PostgresRow, at column: Int) throws {
        guard let kind = try row.decode(column, as: String?.self) else { return nil }
        self.init(
            kind: JobKind(kind), key: try row.decode(column + 1),
            generation: Generation(try row.decode(column + 2, as: Int64.self)))
    }
}

/// What waits for a job, or has waited for it.
struct ListWaiters: PostgresStatement {
    static let sql = """
        SELECT w.job_id, coalesce(j.kind, h.kind), coalesce(j.state::text, h.outcome::text),
               w.goes_on, NULL::timestamptz, w.number, w.number,
               NULL::text, NULL::text, NULL::bigint
        FROM (
            SELECT a.job_id, a.goes_on, count(*) OVER () AS number FROM tenure.job_after a
            WHERE a.needs = $1 ORDER BY a.job_id LIMIT 100) AS w
        LEFT JOIN LATERAL (
            SELECT j.kind, j.state FROM tenure.job_seen j WHERE j.id = w.job_id) AS j ON true
        LEFT JOIN LATERAL (
            SELECT h.kind, h.outcome FROM tenure.job_history h
            WHERE h.id = w.job_id ORDER BY h.finished_at DESC LIMIT 1) AS h ON true
        ORDER BY w.job_id
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (link: JobLink, count: Int, open: Int) {
        try ListPredecessors.decode(row)
    }
}

extension JobLinks: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["count": count, "jobs": jobs])
    }
}

extension JobLink: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "job": job, "key": key, "kind": kind, "state": status, "goesOn": goesOn,
            "endedAt": endedAt,
        ])
    }
}

extension JobLinks {
    /// For people, one line: `3 jobs: ID (sync, running), …`. Nil for none.
    package var text: String? {
        if count == 0 { return nil }
        let some = jobs.prefix(3).map { link in
            if let key = link.key { return key.text + (link.status.map { " (\($0))" } ?? "") }
            let words = [link.kind?.rawValue, link.status?.rawValue].compactMap(\.self)
            return "\(link.job)" + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
        }
        let more = count > some.count ? ", …" : ""
        let noun = jobs.contains { $0.key != nil } ? "wait" : "job"
        return "\(CountText.of(count, noun)): " + some.joined(separator: ", ") + more
    }
}
