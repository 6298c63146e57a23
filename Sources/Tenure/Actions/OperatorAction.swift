public import TenureFoundation
import TenurePostgres

/// What somebody has done: a row of the audit log.
public struct OperatorAction: Sendable {
    /// The act's own id.
    public let id: UUID
    /// When it began.
    public let at: Date
    /// When the last of its bites was done; for most the same moment.
    public let lastAt: Date
    /// How many jobs it has changed; nil: it was not about jobs.
    public let jobs: Int?
    /// cancel, retry, pause, limit and so on.
    public let verb: String
    /// What kind of thing it was about: job, batch, queue, lane, site and so on.
    public let thing: String
    /// As whoever did it is called: a user's name, as a rule.
    public let whom: String
    public let source: ActionSource
    /// As whom the database knows them.
    public let role: String
    public let reason: String?
    /// As JSON: the name of what it was about, or its `ids` (a hundred at most), or the `filter` of
    /// a bulk; and what was set.
    public let about: String
}

/// Which actions to list. What is nil is not asked about.
public struct ActionFilter: Sendable {
    public var verb: String?
    /// Who did them.
    public var whom: String?
    /// Only those of the last stretch of time, by the database's clock.
    public var since: Duration?
    /// Those that have changed a job: by its id, with its batch, or in a bulk that cancelled or
    /// discarded it.
    public var job: JobID?
    public var limit = 50
    /// Only those behind this one: the last of a list, for the one that follows.
    package var after: TimedPlace<UUID>?

    public init() {}
}

/// The newest first. A bulk doesn't keep the ids of what it has changed: who cancelled or discarded
/// a job, and when, says which one it was.
struct ListActions: PostgresStatement {
    static let sql = """
        SELECT a.id, a.at, a.last_at, a.jobs, a.verb, a.thing, a.whom, a.source, a.role, a.reason,
               a.about::text
        FROM tenure.action a
        WHERE ($1::text IS NULL OR a.verb = $1) AND ($2::text IS NULL OR a.whom = $2)
          AND ($3::interval IS NULL OR a.last_at >= clock_timestamp() - $3)
          AND ($4::uuid IS NULL OR a.about @> jsonb_build_object('ids', jsonb_build_array($4))
            OR a.thing = 'batch' AND EXISTS (
                SELECT FROM (
                    SELECT j.batch_id FROM tenure.job j WHERE j.id = $4
                    UNION ALL SELECT h.batch_id FROM tenure.job_history h WHERE h.id = $4) AS b
                WHERE a.about @> jsonb_build_object('ids', jsonb_build_array(b.batch_id)))
            OR a.thing = 'job' AND a.about ? 'filter' AND EXISTS (
                SELECT FROM (
                    SELECT 'cancel' AS verb, j.ending_by AS whom, j.ending_at AS at
                    FROM tenure.job j WHERE j.id = $4
                    UNION ALL
                    SELECT CASE h.outcome WHEN 'cancelled' THEN 'cancel' ELSE 'discard' END,
                           regexp_replace(h.reason, '^discarded by ', ''), h.finished_at
                    FROM tenure.job_history h
                    WHERE h.id = $4 AND h.outcome IN ('cancelled', 'discarded')) AS e
                WHERE e.verb = a.verb AND e.whom = a.whom AND e.at BETWEEN a.at AND a.last_at))
          AND a.last_at <= coalesce($6::timestamptz, 'infinity')
          AND ($6::timestamptz IS NULL OR a.last_at < $6 OR a.id > $7)
        ORDER BY a.last_at DESC, a.id LIMIT $5
        """
    let filter: ActionFilter

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(filter.verb)
        try parameters.append(filter.whom)
        try parameters.append(filter.since)
        try parameters.append(filter.job?.uuid)
        try parameters.append(JobLimits.rows(filter.limit))
        try parameters.append(filter.after?.at)
        try parameters.append(filter.after?.id)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> OperatorAction {
        OperatorAction(
            id: try row.decode(0), at: try row.decode(1), lastAt: try row.decode(2),
            jobs: try row.decode(3, as: Int64?.self).map { Int($0) }, verb: try row.decode(4),
            thing: try row.decode(5), whom: try row.decode(6),
            source: try ActionSource(answer: row.decode(7), to: "a list of actions"),
            role: try row.decode(8), reason: try row.decode(9), about: try row.decode(10))
    }
}

extension OperatorAction {
    /// Where a list goes on behind it.
    package var place: TimedPlace<UUID> { TimedPlace(at: lastAt, id: id) }
}

extension OperatorAction: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "at": at, "lastAt": lastAt, "verb": verb, "thing": thing,
            "about": aboutValue, "jobs": jobs, "by": whom, "role": role, "source": source,
            "reason": reason,
        ])
    }

    private var aboutValue: PayloadValue {
        // Reason for `try?`: what can't be read is shown as its text.
        (try? JSONDecoder().decode(PayloadValue.self, from: Data(about.utf8))) ?? .text(about)
    }

    /// What it was about, on one line, for people: `queue mail`, `all jobs with queue mail`.
    package var subject: String {
        guard case .object(let fields) = aboutValue else { return thing }
        var words: [String] = []
        if case .array(let ids)? = fields["ids"] {
            words.append(ids.first?.word ?? "")
            if ids.count > 1 { words.append("and \(ids.count - 1) more") }
        }
        if let name = fields["name"] ?? fields["url"] { words.append(name.word) }
        var noun = thing
        if case .object(let filter)? = fields["filter"] {
            noun = "all \(thing)s"
            if !filter.isEmpty { words.append("with \(Self.pairs(filter))") }
        }
        if case .object(let set)? = fields["set"] {
            words.append("(\(Self.pairs(set, was: fields["was"])))")
        }
        let told: Set = ["ids", "name", "url", "filter", "set", "was"]
        let rest = fields.filter { !told.contains($0.key) }
        if !rest.isEmpty { words.append("(\(Self.pairs(rest)))") }
        return ([noun] + words).joined(separator: " ")
    }

    /// The job that it was about, where it was one.
    package var onlyJob: String? {
        guard jobs == 1, case .object(let fields) = aboutValue,
            case .array(let ids)? = fields["ids"], ids.count == 1, case .text(let id) = ids[0]
        else { return nil }
        return id
    }

    /// - Parameter old: what each was before, as far as that is known.
    private static func pairs(
        _ fields: [String: PayloadValue], was old: PayloadValue? = nil
    ) -> String {
        var before: [String: PayloadValue] = [:]
        if case .object(let values)? = old { before = values }
        return fields.sorted { $0.key < $1.key }.map { name, value in
            "\(name) " + (before[name].map { "\($0.word) → " } ?? "") + value.word
        }.joined(separator: ", ")
    }
}

extension PayloadValue {
    fileprivate var word: String {
        switch self {
        case .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .whole(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): value
        case .array(let values): values.map(\.word).joined(separator: " ")
        case .object: "…"
        }
    }
}
