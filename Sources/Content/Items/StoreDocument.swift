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

    /// - Parameter result: the version that it names is the newest then.
    init(_ result: FetchResult, _ item: LockedItem, _ sightings: Sightings? = nil) {
        self.result = result
        self.sightings = sightings ?? item.sightings
        suspicion = item.suspicion
        version = result.version ?? item.version
    }

    /// It is asked for again whatever its header fields say: better may come.
    var isDoubted: Bool { suspicion != nil }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(result.outcome.rawValue)
        try parameters.append(result.code)
        try parameters.append(clamping: result.status)
        try parameters.append(sightings.missingSince)
        try parameters.append(sightings.redirectTo)
        try parameters.append(sightings.movedAt)
        try parameters.append(suspicion)
        try parameters.append(clamping: version)
    }
}

/// Writes how a look ended; the content stays. The item's row is locked.
struct NoteItem: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $2, code = $3, status = coalesce($4, i.status), missing_since = $5,
            redirect_to = $6, moved_at = $7, suspicion = $8, version = $9,
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
            attempted_at = clock_timestamp(), asked_at = $10, seen_at = now(),
            fresh_until = now() + $11::interval, headers = $12, etag = $13, last_modified = $14
        WHERE i.id = $1
        """
    let item: UUID
    let note: ItemNote
    let askedAt: Date?
    let freshFor: Duration
    let headers: ResponseHeaders

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try note.bind(&parameters)
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
            attempted_at = clock_timestamp(), asked_at = $10, fetched_at = now(), seen_at = now(),
            fresh_until = now() + $11::interval, headers = $12, etag = $13, last_modified = $14,
            changed_at = CASE WHEN $15 THEN now() ELSE i.changed_at END,
            first_fetched_at = coalesce(i.first_fetched_at, now()), final_url = $16,
            media_type = $17, charset = $18, title = $19, hash = $20, bytes = $21, words = $22,
            reference_count = $23, anchor_count = $24, is_complete = $25, redirects = $26
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
        try note.bind(&parameters)
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
