import FoundationEssentials
import Tenure
import Web

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

    /// - Parameters:
    ///   - fresh: nobody asks before that is over.
    ///   - due: when the next fetch is due, where that isn't the policy's to say.
    func bind(
        _ parameters: inout PostgresParameters, fresh: Duration = .zero, due: ItemPace.Due = .policy
    ) throws {
        try parameters.append(result.outcome.rawValue)
        try parameters.append(result.code)
        try parameters.append(clamping: result.status)
        try parameters.append(sightings.missingSince)
        try parameters.append(sightings.redirectTo)
        try parameters.append(sightings.movedAt)
        try parameters.append(suspicion)
        try parameters.append(clamping: version)
        try pace.bind(&parameters, look, fresh: fresh, due)
    }
}

/// Writes how a look ended; the content stays. The item's row is locked.
struct NoteItem: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $2, code = $3, status = coalesce($4, i.status), missing_since = $5,
            redirect_to = $6, moved_at = $7, suspicion = $8, version = $9,
            due_at = coalesce(greatest(content.now() + $10::interval, i.fresh_until),
                              i.due_at), enqueued_at = NULL,
            looked_at = CASE WHEN $11 THEN content.now() ELSE i.looked_at END,
            refetch_after = coalesce($12::interval, i.refetch_after),
            change_span = coalesce($13::interval, i.change_span),
            change_count = coalesce($14::float8, i.change_count),
            attempted_at = clock_timestamp()
        WHERE i.id = $1
        """
    let item: UUID
    let note: ItemNote

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try note.bind(&parameters)
    }
}

/// Writes that a document is still what it was (304), with the fields that came with that, and what
/// ``NoteItem`` does. The item's row is locked.
struct ConfirmDocument: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $2, code = $3, status = coalesce($4, i.status), missing_since = $5,
            redirect_to = $6, moved_at = $7, suspicion = $8, version = $9,
            due_at = coalesce(content.now() + $10::interval, i.due_at), enqueued_at = NULL,
            looked_at = CASE WHEN $11 THEN content.now() ELSE i.looked_at END,
            refetch_after = coalesce($12::interval, i.refetch_after),
            change_span = coalesce($13::interval, i.change_span),
            change_count = coalesce($14::float8, i.change_count),
            attempted_at = clock_timestamp(), asked_at = $15, seen_at = now(),
            fresh_until = now() + $16::interval, headers = $17, etag = $18, last_modified = $19
        WHERE i.id = $1
        """
    let item: UUID
    let note: ItemNote
    let due: ItemPace.Due
    let askedAt: Date?
    let freshFor: Duration
    let headers: ResponseHeaders

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try note.bind(&parameters, fresh: freshFor, due: due)
        try parameters.append(askedAt)
        try parameters.append(freshFor)
        try headers.bind(&parameters)
    }
}

/// Writes which document an item is now, and what ``NoteItem`` does. Its row is locked.
struct StoreDocument: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $2, code = $3, status = coalesce($4, i.status), missing_since = $5,
            redirect_to = $6, moved_at = $7, suspicion = $8, version = $9,
            due_at = coalesce(content.now() + $10::interval, i.due_at), enqueued_at = NULL,
            looked_at = CASE WHEN $11 THEN content.now() ELSE i.looked_at END,
            refetch_after = coalesce($12::interval, i.refetch_after),
            change_span = coalesce($13::interval, i.change_span),
            change_count = coalesce($14::float8, i.change_count),
            attempted_at = clock_timestamp(), asked_at = $15, fetched_at = now(), seen_at = now(),
            fresh_until = now() + $16::interval, headers = $17, etag = $18, last_modified = $19,
            changed_at = CASE WHEN $20 THEN now() ELSE i.changed_at END,
            first_fetched_at = coalesce(i.first_fetched_at, now()), final_url = $21,
            media_type = $22, charset = $23, title = $24, hash = $25, bytes = $26, words = $27,
            reference_count = $28, anchor_count = $29, is_complete = $30, redirects = $31
        WHERE i.id = $1
        """
    let item: LockedItem
    let note: ItemNote
    let document: SeenDocument
    /// Of the fetch that keeps it; nil for a check, which keeps nothing of it.
    var kept: (askedAt: Date, words: Int)?
    var freshFor: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        let page = document.page
        try parameters.append(item.id)
        let due: ItemPace.Due = kept == nil ? item.due(seen: document.hash) : .policy
        try note.bind(&parameters, fresh: freshFor, due: due)
        try parameters.append(kept?.askedAt ?? item.askedAt)
        try parameters.append(freshFor)
        try document.headers.bind(&parameters)
        try parameters.append(!item.shows(document))
        try parameters.append(document.finalURL.href)
        try parameters.append(document.mediaType)
        try parameters.append(page.charset)
        try parameters.append(page.title)
        try parameters.append(document.hash)
        try parameters.append(Int64(document.bytes))
        try parameters.append(clamping: kept?.words ?? item.words)
        try parameters.append(clamping: page.edges.count)
        try parameters.append(clamping: page.anchors.count)
        try parameters.append(page.isComplete)
        try parameters.append(document.redirects.map { PostgresJSON($0) })
    }
}

extension ResponseHeaders {
    fileprivate func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(PostgresJSON(try json()))
        try parameters.append(self["etag"])
        try parameters.append(self["last-modified"])
    }
}
