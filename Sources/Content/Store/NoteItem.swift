import FoundationEssentials
import Tenure
import Web

/// Writes how a fetch ended, and what it remembers; the content stays. The item's row is locked.
struct NoteItem: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $2, code = $3, status = coalesce($4, i.status), missing_since = $5,
            redirect_to = $6, moved_at = $7, suspicion = $8, version = $9,
            attempted_at = clock_timestamp()
        WHERE i.id = $1
        """
    let item: UUID
    let result: FetchResult
    let sightings: Sightings
    let suspicion: String?
    let version: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try bindNote(&parameters)
    }

    /// All but which item it is.
    func bindNote(_ parameters: inout PostgresParameters) throws {
        try parameters.append(result.outcome.rawValue)
        try parameters.append(result.code)
        try parameters.append(result.status.map { Int32(clamping: $0) })
        try parameters.append(sightings.missingSince)
        try parameters.append(sightings.redirectTo)
        try parameters.append(sightings.movedAt)
        try parameters.append(suspicion)
        try parameters.append(Int32(clamping: version))
    }
}

/// Writes that a document is still what it was (304), with the fields that came with that.
struct ConfirmItem: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET asked_at = $2, seen_at = now(), fresh_until = now() + $3::interval, headers = $4,
            etag = $5, last_modified = $6
        WHERE i.id = $1
        """
    let item: UUID
    let askedAt: Date
    let freshFor: Duration
    let headers: ResponseHeaders

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(askedAt)
        try parameters.append(freshFor)
        try parameters.append(PostgresJSON(try headers.json()))
        try parameters.append(headers["etag"])
        try parameters.append(headers["last-modified"])
    }
}

/// Writes what document an item is now, and what ``NoteItem`` does. Its row is locked.
struct AcceptDocument: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET outcome = $18, code = $19, status = coalesce($20, i.status), missing_since = $21,
            redirect_to = $22, moved_at = $23, suspicion = $24, version = $25,
            attempted_at = clock_timestamp(), asked_at = $2, fetched_at = now(), seen_at = now(),
            changed_at = CASE WHEN (i.hash, i.final_url, i.reference_count) IS NOT DISTINCT FROM
                                   ($11::bytea, $7::text, $14::integer)
                              THEN i.changed_at ELSE now() END,
            first_fetched_at = coalesce(first_fetched_at, now()),
            fresh_until = now() + $3::interval, headers = $4, etag = $5, last_modified = $6,
            final_url = $7, media_type = $8, charset = $9, title = $10, hash = $11, bytes = $12,
            words = $13, reference_count = $14, anchor_count = $15, is_complete = $16,
            redirects = $17
        WHERE i.id = $1
        """
    let note: NoteItem
    let askedAt: Date
    let freshFor: Duration
    let headers: ResponseHeaders
    let document: AddVersion.Document
    let extract: Extract
    let bytes: Int?
    let redirects: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(note.item)
        try parameters.append(askedAt)
        try parameters.append(freshFor)
        try parameters.append(PostgresJSON(try headers.json()))
        try parameters.append(headers["etag"])
        try parameters.append(headers["last-modified"])
        try parameters.append(document.finalURL.href)
        try parameters.append(document.mediaType)
        try parameters.append(document.charset)
        try parameters.append(extract.title)
        try parameters.append(document.hash)
        try parameters.append(bytes.map(Int64.init))
        try parameters.append(Int32(clamping: document.words))
        try parameters.append(Int32(clamping: extract.edges.count))
        try parameters.append(Int32(clamping: extract.anchors.count))
        try parameters.append(extract.isComplete)
        try parameters.append(redirects.map { PostgresJSON($0) })
        try note.bindNote(&parameters)
    }
}
