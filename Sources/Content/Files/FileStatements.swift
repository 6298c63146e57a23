import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// What is known of a file that once was complete.
struct ReadFile: PostgresStatement {
    static let sql = """
        SELECT f.hash, f.etag, f.last_modified, coalesce(f.fresh_until > clock_timestamp(), false)
        FROM content.file f
        WHERE f.id = content.digest($1)
          AND (EXISTS (SELECT FROM content.large_body l WHERE l.hash = f.hash)
               OR EXISTS (SELECT FROM content.body b WHERE b.hash = f.hash))
        """
    let url: String

    struct Row: Sendable {
        let hash: [UInt8]
        let etag: String?
        let lastModified: String?
        let isFresh: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            hash: try row.decode(0), etag: try row.decode(1), lastModified: try row.decode(2),
            isFresh: try row.decode(3))
    }
}

/// A download is complete: more can't be added. No row comes back when it isn't where it was.
struct CloseDownload: PostgresStatement {
    static let sql = """
        UPDATE content.download
        SET is_open = false, bytes = received, touched_at = clock_timestamp()
        WHERE id = $1 AND received = $2 AND is_open RETURNING id
        """
    let download: Download

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(download.id)
        try parameters.append(download.received)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

/// Makes a complete download the body of its hash, unless there is one: then that is kept on.
struct KeepLargeBody: PostgresStatement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT b.hash FROM content.body b WHERE b.hash = $1 FOR KEY SHARE
        )
        INSERT INTO content.large_body AS l (hash, download, bytes)
        SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM held)
        ON CONFLICT (hash) DO UPDATE SET kept_at = clock_timestamp()
        """
    let download: Download

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(download.hash.digest)
        try parameters.append(download.id)
        try parameters.append(download.received)
    }
}

/// Puts a file's new content in the place of the old one.
struct StoreFile: PostgresStatement {
    static let sql = """
        INSERT INTO content.file AS f (
            id, url, final_url, bytes, hash, media_type, etag, last_modified, fresh_until)
        VALUES (content.digest($1), $1, $2, $3, $4, $5, $6, $7, now() + $8::interval)
        ON CONFLICT (id) DO UPDATE SET
            final_url = EXCLUDED.final_url, bytes = EXCLUDED.bytes, hash = EXCLUDED.hash,
            media_type = EXCLUDED.media_type, etag = EXCLUDED.etag,
            last_modified = EXCLUDED.last_modified, fresh_until = EXCLUDED.fresh_until,
            checked_at = EXCLUDED.checked_at,
            completed_at = CASE WHEN f.hash = EXCLUDED.hash THEN f.completed_at
                                ELSE EXCLUDED.completed_at END
        """
    let url: String
    let download: Download
    let freshFor: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        let head = download.head
        try parameters.append(url)
        try parameters.append(head.finalURL)
        try parameters.append(download.received)
        try parameters.append(download.hash.digest)
        try parameters.append(head.mediaType)
        try parameters.append(head.etag)
        try parameters.append(head.lastModified)
        try parameters.append(freshFor)
    }
}

/// Writes that a file is as it was.
struct ConfirmFile: PostgresStatement {
    static let sql = """
        UPDATE content.file
        SET checked_at = clock_timestamp(), fresh_until = now() + $2::interval
        WHERE id = content.digest($1)
        """
    let url: String
    let freshFor: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(freshFor)
    }
}
