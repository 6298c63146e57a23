import HTTPTransport
import Tenure
import Web

/// A file on its way: how far it has come, and by what the next request can go on.
struct Download: Sendable {
    let id: Int64
    /// Everything up to here is committed.
    var received: Int64
    /// How many bytes there are, if the server has said so.
    var total: Int64?
    /// For `If-Range`. Without a strong one, pieces of two requests may belong to two files.
    var validator: String?
    var hash: SHA256
    let head: FileHead

    var isWhole: Bool { received == total }
    /// Whether a later request may go on here.
    var canGoOn: Bool { received > 0 && validator != nil }
}

/// What a file's first response says of it; that of a part may leave some of it out.
struct FileHead: Sendable {
    let finalURL: String
    let mediaType: String?
    let etag: String?
    let lastModified: String?
}

extension FileHead {
    init(_ document: FetchedDocument) {
        finalURL = document.url.withoutFragment.href
        mediaType = document.mediaType.map { $0.essence.storable }
        etag = document.headers["ETag"].map(\.storable)
        lastModified = document.headers["Last-Modified"].map(\.storable)
    }
}

/// The download of an item that more may come to.
struct ReadDownload: PostgresStatement {
    static let sql = """
        SELECT d.id, d.received, d.bytes, d.validator, d.hashing, d.final_url, d.media_type,
               d.etag, d.last_modified
        FROM content.download d
        WHERE d.item = content.digest($1) AND d.is_open
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> Download {
        guard let hash = SHA256(state: try row.decode(4, as: [UInt8].self)) else {
            throw ContentError(.newerDatabase, "the state of a download's hash can't be read")
        }
        return Download(
            id: try row.decode(0), received: try row.decode(1), total: try row.decode(2),
            validator: try row.decode(3), hash: hash,
            head: FileHead(
                finalURL: try row.decode(5), mediaType: try row.decode(6),
                etag: try row.decode(7), lastModified: try row.decode(8)))
    }
}

/// Begins a download at the first byte. An item has one at a time.
struct StartDownload: PostgresStatement {
    static let sql = """
        INSERT INTO content.download (
            item, bytes, validator, hashing, final_url, media_type, etag, last_modified)
        VALUES (content.digest($1), $2, $3, $4, $5, $6, $7, $8) RETURNING id
        """
    let url: String
    let total: Int64?
    let validator: String?
    let head: FileHead

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(total)
        try parameters.append(validator)
        try parameters.append(SHA256().state)
        try parameters.append(head.finalURL)
        try parameters.append(head.mediaType)
        try parameters.append(head.etag)
        try parameters.append(head.lastModified)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

/// Gives up what has come of an item: nothing can be added to it.
struct EndDownload: PostgresStatement {
    static let sql = """
        UPDATE content.download SET is_open = false WHERE item = content.digest($1) AND is_open
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }
}

/// Adds the next piece. No row comes back when the download isn't where it was thought to be.
struct AppendChunk: PostgresStatement {
    static let sql = """
        WITH grown AS (
            UPDATE content.download d
            SET received = d.received + octet_length($3::bytea), hashing = $4, bytes = $5,
                touched_at = clock_timestamp()
            WHERE d.id = $1 AND d.received = $2 AND d.is_open
            RETURNING d.id, d.received
        )
        INSERT INTO content.chunk (download, start, stop, bytes)
        SELECT g.id, $2, g.received, $3 FROM grown g
        RETURNING stop
        """
    let download: Download
    let bytes: [UInt8]
    /// After these bytes.
    let hash: SHA256

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(download.id)
        try parameters.append(download.received)
        try parameters.append(bytes)
        try parameters.append(hash.state)
        try parameters.append(download.total)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}
