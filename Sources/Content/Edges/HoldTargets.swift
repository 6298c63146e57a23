import Tenure
import TenureFoundation

/// Holds targets against deletion until the transaction ends, in the order of their ids, and
/// returns those that are gone: somebody has deleted them meanwhile.
struct HoldTargets: PostgresStatement {
    static let sql = """
        WITH goal AS MATERIALIZED (
            SELECT u.id FROM unnest($1::uuid[]) AS u (id) ORDER BY u.id
        ), held AS MATERIALIZED (
            SELECT t.id FROM goal g
            CROSS JOIN LATERAL (
                SELECT t.id FROM content.target t WHERE t.id = g.id FOR KEY SHARE) AS t
        )
        SELECT g.id FROM goal g WHERE g.id NOT IN (SELECT h.id FROM held h)
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }

    /// Makes sure that targets are there, and stay: makes those that are gone, until all are held.
    static func hold(_ hrefs: [String], in transaction: PostgresTransaction) async throws {
        var left = Dictionary(hrefs.map { (Digest.id(of: $0), $0) }) { first, _ in first }
        while !left.isEmpty {
            let (_, gone) = try await transaction.pipeline(
                StoreTargets(hrefs: Array(left.values)), HoldTargets(ids: Array(left.keys)))
            left = left.filter { gone.contains($0.key) }
        }
    }
}
