import Tenure
import TenureFoundation

/// What an item remembers of the look that it was asked for last.
struct ItemNote: Sendable {
    var result: FetchResult
    var sightings: Sightings
    /// Why the content is doubted, for want of other.
    var suspicion: String?
    /// The newest.
    var version: Int
    /// What it says of the document.
    var look: RefetchPolicy.Look
    private let pace: ItemPace

    /// - Parameter result: the version that it names is the newest then.
    init(_ result: FetchResult, _ item: LockedItem, _ sightings: Sightings? = nil) {
        self.result = result
        self.sightings = sightings ?? item.sightings
        suspicion = item.suspicion
        version = result.version ?? item.version
        look = result.outcome == .gone ? .gone : .nothing
        pace = item.pace
    }

    /// It is asked for again whatever its header fields say: better may come.
    var isDoubted: Bool { suspicion != nil }

    /// How it is written, for an item.
    struct Entry: Sendable {
        let item: UUID
        fileprivate let note: ItemNote
        fileprivate let pace: ItemPace.Written
    }

    /// - Parameters:
    ///   - fresh: nobody asks before that is over.
    ///   - due: when the next fetch is due, where that isn't the policy's to say.
    func entry(
        of item: UUID, fresh: Duration = .zero, due: ItemPace.Due = .policy
    ) -> Entry {
        Entry(item: item, note: self, pace: pace.written(look, fresh: fresh, due))
    }

    /// Columns `id` to `change_count` of `columns`.
    static func bind(_ rows: [Entry], to parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map(\.note.result.outcome.rawValue))
        try parameters.append(rows.map(\.note.result.code))
        try parameters.append(rows.map { $0.note.result.status.map { Int32(clamping: $0) } })
        try parameters.append(rows.map(\.note.sightings.missingSince))
        try parameters.append(rows.map(\.note.sightings.redirectTo))
        try parameters.append(rows.map(\.note.sightings.movedAt))
        try parameters.append(rows.map(\.note.suspicion))
        try parameters.append(rows.map { Int32(clamping: $0.note.version) })
        try parameters.append(rows.map(\.pace.wait))
        try parameters.append(rows.map(\.pace.hasLooked))
        try parameters.append(rows.map(\.pace.interval))
        try parameters.append(rows.map(\.pace.span))
        try parameters.append(rows.map(\.pace.count))
    }
}

/// Writes how looks ended; the content stays. The items' rows are locked.
struct NoteItems: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = n.outcome, code = n.code, status = coalesce(n.status, i.status),
            missing_since = n.missing_since, redirect_to = n.redirect_to, moved_at = n.moved_at,
            suspicion = n.suspicion, version = n.version,
            due_at = coalesce(greatest(content.now() + n.wait, i.fresh_until), i.due_at),
            enqueued_at = NULL,
            looked_at = CASE WHEN n.has_looked THEN content.now() ELSE i.looked_at END,
            refetch_after = coalesce(n.refetch_after, i.refetch_after),
            change_span = coalesce(n.change_span, i.change_span),
            change_count = coalesce(n.change_count, i.change_count),
            attempted_at = clock_timestamp()
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int4[], $5::timestamptz[], $6::text[],
                    $7::timestamptz[], $8::text[], $9::int4[], $10::interval[], $11::bool[],
                    $12::interval[], $13::interval[], $14::float8[])
             AS n (id, outcome, code, status, missing_since, redirect_to, moved_at, suspicion,
                   version, wait, has_looked, refetch_after, change_span, change_count)
        WHERE i.id = n.id AND i.id = ANY ($1)
        """
    let rows: [ItemNote.Entry]

    func bind(_ parameters: inout PostgresParameters) throws {
        try ItemNote.bind(rows, to: &parameters)
    }
}

/// Writes that documents are still what they were (304), with the fields that came with that, and
/// what ``NoteItems`` does. The items' rows are locked.
struct ConfirmDocuments: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = n.outcome, code = n.code, status = coalesce(n.status, i.status),
            missing_since = n.missing_since, redirect_to = n.redirect_to, moved_at = n.moved_at,
            suspicion = n.suspicion, version = n.version,
            due_at = coalesce(content.now() + n.wait, i.due_at), enqueued_at = NULL,
            looked_at = CASE WHEN n.has_looked THEN content.now() ELSE i.looked_at END,
            refetch_after = coalesce(n.refetch_after, i.refetch_after),
            change_span = coalesce(n.change_span, i.change_span),
            change_count = coalesce(n.change_count, i.change_count),
            attempted_at = clock_timestamp(), asked_at = n.asked_at, seen_at = now(),
            fresh_until = now() + n.fresh_for, headers = n.headers, etag = n.etag,
            last_modified = n.last_modified
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int4[], $5::timestamptz[], $6::text[],
                    $7::timestamptz[], $8::text[], $9::int4[], $10::interval[], $11::bool[],
                    $12::interval[], $13::interval[], $14::float8[], $15::timestamptz[],
                    $16::interval[], $17::jsonb[], $18::text[], $19::text[])
             AS n (id, outcome, code, status, missing_since, redirect_to, moved_at, suspicion,
                   version, wait, has_looked, refetch_after, change_span, change_count, asked_at,
                   fresh_for, headers, etag, last_modified)
        WHERE i.id = n.id AND i.id = ANY ($1)
        """
    let rows: [Entry]

    struct Entry: Sendable {
        let note: ItemNote.Entry
        let askedAt: Date?
        let freshFor: Duration
        let headers: ResponseHeaders
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try ItemNote.bind(rows.map(\.note), to: &parameters)
        try parameters.append(rows.map(\.askedAt))
        try parameters.append(rows.map(\.freshFor))
        try ResponseHeaders.bind(rows.map(\.headers), to: &parameters)
    }
}

extension ResponseHeaders {
    /// Three columns: `headers`, `etag`, `last_modified`.
    static func bind(
        _ rows: [ResponseHeaders], to parameters: inout PostgresParameters
    ) throws {
        try parameters.append(rows.map { PostgresJSON($0.json()) })
        try parameters.append(rows.map { $0["etag"] })
        try parameters.append(rows.map { $0["last-modified"] })
    }
}
