import Tenure
import TenureFoundation
import Web

/// Writes which documents items are now, and what ``NoteItems`` does. Their rows are locked.
struct StoreDocuments: PostgresStatement {
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
            attempted_at = clock_timestamp(), asked_at = n.asked_at, fetched_at = now(),
            seen_at = now(), fresh_until = now() + n.fresh_for, headers = n.headers,
            etag = n.etag, last_modified = n.last_modified,
            changed_at = CASE WHEN n.is_other THEN now() ELSE i.changed_at END,
            first_fetched_at = coalesce(i.first_fetched_at, now()), final_url = n.final_url,
            media_type = n.media_type, charset = n.charset, title = n.title, hash = n.hash,
            bytes = n.bytes, words = n.words, reference_count = n.reference_count,
            anchor_count = n.anchor_count, is_complete = n.is_complete, redirects = n.redirects
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int4[], $5::timestamptz[], $6::text[],
                    $7::timestamptz[], $8::text[], $9::int4[], $10::interval[], $11::bool[],
                    $12::interval[], $13::interval[], $14::float8[], $15::timestamptz[],
                    $16::interval[], $17::jsonb[], $18::text[], $19::text[], $20::bool[],
                    $21::text[], $22::text[], $23::text[], $24::text[], $25::bytea[], $26::int8[],
                    $27::int4[], $28::int4[], $29::int4[], $30::bool[], $31::jsonb[])
             AS n (id, outcome, code, status, missing_since, redirect_to, moved_at, suspicion,
                   version, wait, has_looked, refetch_after, change_span, change_count, asked_at,
                   fresh_for, headers, etag, last_modified, is_other, final_url, media_type,
                   charset, title, hash, bytes, words, reference_count, anchor_count, is_complete,
                   redirects)
        WHERE i.id = n.id AND i.id = ANY ($1)
        """
    let rows: [Entry]

    struct Entry: Sendable {
        let item: LockedItem
        let note: ItemNote
        let document: SeenDocument
        /// Of the fetch that keeps it; nil for a check, which keeps nothing of it.
        var kept: (askedAt: Date, words: Int)?
        var freshFor: Duration

        fileprivate var noted: ItemNote.Entry {
            let due: ItemPace.Due = kept == nil ? item.due(seen: document.hash) : .policy
            return note.entry(of: item.id, fresh: freshFor, due: due)
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try ItemNote.bind(rows.map(\.noted), to: &parameters)
        try parameters.append(rows.map { $0.kept?.askedAt ?? $0.item.askedAt })
        try parameters.append(rows.map(\.freshFor))
        try ResponseHeaders.bind(rows.map(\.document.headers), to: &parameters)
        try parameters.append(rows.map { !$0.item.shows($0.document) })
        try parameters.append(rows.map(\.document.finalURL.href))
        try parameters.append(rows.map(\.document.mediaType))
        try parameters.append(rows.map(\.document.page.charset))
        try parameters.append(rows.map(\.document.page.title))
        try parameters.append(rows.map(\.document.hash))
        try parameters.append(rows.map { Int64($0.document.bytes) })
        try parameters.append(rows.map { Int32(clamping: $0.kept?.words ?? $0.item.words) })
        try parameters.append(rows.map { Int32(clamping: $0.document.page.edges.count) })
        try parameters.append(rows.map { Int32(clamping: $0.document.page.anchors.count) })
        try parameters.append(rows.map(\.document.page.isComplete))
        try parameters.append(rows.map { $0.document.redirects.map { PostgresJSON($0) } })
    }
}
