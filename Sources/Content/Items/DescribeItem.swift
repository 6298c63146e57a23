import FoundationEssentials
import Tenure

/// All that is told of an item, its body aside.
struct DescribeItem: PostgresStatement {
    static let sql = """
        SELECT i.url, i.outcome, i.final_url, i.status, i.media_type, i.charset, i.title, i.bytes,
               encode(i.hash, 'hex'), i.reference_count, i.anchor_count,
               EXISTS (SELECT FROM content.body b WHERE b.hash = i.hash), i.fetched_at,
               i.attempted_at
        FROM content.item i WHERE i.id = content.digest($1)
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> Item {
        Item(
            url: try row.decode(0), outcome: try row.decode(1), finalURL: try row.decode(2),
            status: try row.decode(3, as: Int32?.self).map(Int.init),
            mediaType: try row.decode(4), charset: try row.decode(5), title: try row.decode(6),
            bytes: try row.decode(7, as: Int64?.self).map(Int.init), hash: try row.decode(8),
            references: Int(try row.decode(9, as: Int32.self)),
            anchors: Int(try row.decode(10, as: Int32.self)), hasBody: try row.decode(11),
            fetchedAt: try row.decode(12), attemptedAt: try row.decode(13))
    }
}
