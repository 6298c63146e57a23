import Tenure
public import TenureFoundation
import Web

/// What is kept of an item's bytes, as it was when it last was complete.
public struct ItemFile: Sendable, Hashable, Codable {
    public let url: String
    public let finalURL: String?
    public let mediaType: String?
    public let bytes: Int64
    /// SHA-256 of the bytes, in hex.
    public let hash: String
    public let etag: String?
    public let lastModified: String?
    /// When these bytes had come.
    public let completedAt: Date?
    let digest: [UInt8]
}

extension Items {
    /// The file of an item, or else the body of its document; nil where neither is kept.
    /// - Throws: `ContentError` with `.refusedURL` for what is never fetched.
    public func file(_ name: ItemName) async throws -> ItemFile? {
        try await pool.execute(FindFile(id: name.id())).first
    }

    /// A file's bytes, in pieces, a few mebibytes each and one at a time: no transaction stays
    /// open, however long the reader takes.
    ///
    /// The last step compares the hash of all that was read. It throws `ContentError`:
    /// `.replacedFile` when a newer content has taken the place of this one for more than an hour,
    /// `.damagedFile` when the bytes aren't those that were fetched.
    public func bytes(of file: ItemFile) -> ItemBytes { ItemBytes(pool: pool, file: file) }
}

/// A file's place by its item. What was fetched as a file counts before a document's body.
struct FindFile: PostgresStatement {
    static let sql = """
        SELECT f.url, f.final_url, f.media_type, f.bytes, f.etag, f.last_modified, f.completed_at,
               f.hash
        FROM content.file f WHERE f.id = $1
        UNION ALL
        SELECT i.url, i.final_url, i.media_type, octet_length(b.bytes)::bigint, i.etag,
               i.last_modified, i.fetched_at, i.hash
        FROM content.item i JOIN content.body b ON b.hash = i.hash
        WHERE i.id = $1
        LIMIT 1
        """
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> ItemFile {
        let digest = try row.decode(7, as: [UInt8].self)
        return ItemFile(
            url: try row.decode(0), finalURL: try row.decode(1), mediaType: try row.decode(2),
            bytes: try row.decode(3), hash: digest.hex, etag: try row.decode(4),
            lastModified: try row.decode(5), completedAt: try row.decode(6), digest: digest)
    }
}
