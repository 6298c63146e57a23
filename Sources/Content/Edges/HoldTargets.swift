import Tenure

/// Holds targets against deletion until the transaction ends, in the order of their ids, and
/// returns those that are gone: somebody has deleted them meanwhile.
struct HoldTargets: PostgresStatement {
    static let sql = """
        WITH goal AS MATERIALIZED (
            SELECT content.digest(u.href) AS id, u.href FROM unnest($1::text[]) AS u (href)
            ORDER BY 1
        ), held AS MATERIALIZED (
            SELECT t.id FROM goal g
            CROSS JOIN LATERAL (
                SELECT t.id FROM content.target t WHERE t.id = g.id FOR KEY SHARE) AS t
        )
        SELECT g.href FROM goal g WHERE g.id NOT IN (SELECT h.id FROM held h)
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }

    /// Makes sure that targets are there, and stay: makes those that are gone, until all are held.
    static func hold(_ hrefs: [String], in transaction: PostgresTransaction) async throws {
        var gone = hrefs
        while !gone.isEmpty {
            (_, gone) = try await transaction.pipeline(
                StoreTargets(hrefs: gone), HoldTargets(hrefs: gone))
        }
    }
}
