import Tenure
package import TenureFoundation

/// What an item's text was in one of its versions.
package struct VersionText: Sendable {
    package let number: Int
    package let madeAt: Date
    /// The person who made it; nil: a fetch.
    package let madeBy: String?
    package let title: String?
    /// Nil where it is longer than was asked for.
    package let text: String?
}

/// Two versions of an item, the older one first; one where there is no other.
struct ReadVersions: PostgresStatement {
    static let sql = """
        SELECT v.number, v.made_at, v.made_by, v.fields #>> '{title,value}',
               CASE WHEN octet_length(t.words) <= $4 THEN t.words END
        FROM content.version v
        CROSS JOIN LATERAL (SELECT coalesce(v.fields #>> '{text,value}', '') AS words OFFSET 0) AS t
        WHERE v.item = $1 AND (v.number = $2 OR v.number = coalesce($3, (
            SELECT max(p.number) FROM content.version p WHERE p.item = $1 AND p.number < $2)))
        ORDER BY v.number
        """
    let item: UUID
    let number: Int
    /// Nil for the one before it.
    let other: Int?
    let mostBytes: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(Int32(clamping: number))
        try parameters.append(other.map { Int32(clamping: $0) })
        try parameters.append(Int32(clamping: mostBytes))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> VersionText {
        VersionText(
            number: try row.count(0), madeAt: try row.decode(1), madeBy: try row.decode(2),
            title: try row.decode(3), text: try row.decode(4))
    }
}

extension Items {
    /// A version, and another that it is compared with: nil for the newest before it. Of two the
    /// older one comes first. What is longer than can be compared is left out.
    package func texts(
        of item: UUID, version number: Int, and other: Int?
    ) async throws -> [VersionText] {
        try await pool.execute(
            ReadVersions(
                item: item, number: number, other: other, mostBytes: LineDiff.mostBytes))
    }
}
