import FoundationEssentials
import Tenure
import Web

/// Writes an item's references, in the order of the document, and its anchors, whose names are
/// unique. Holds the targets against deletion until the transaction ends, in the order of their
/// ids, as `HoldTargets` does; a row for each one that is gone.
struct StoreEdges: PostgresStatement {
    static let sql = """
        WITH goal AS MATERIALIZED (
            SELECT u.id, u.place FROM unnest($2::uuid[]) WITH ORDINALITY AS u (id, place)
            ORDER BY u.id
        ), held AS MATERIALIZED (
            SELECT t.id FROM goal g
            CROSS JOIN LATERAL (
                SELECT t.id FROM content.target t WHERE t.id = g.id FOR KEY SHARE) AS t
        ), edge AS (
            INSERT INTO content.reference (
                item, ordinal, target, line, "column", kind, strength, raw, fragment,
                raw_fragment, problem, words)
            SELECT $1, e.ordinal, e.target, e.line, e."column", e.kind, e.strength, e.raw,
                   e.fragment, e.raw_fragment, e.problem, e.words
            FROM unnest($3::uuid[], $4::int4[], $5::int4[], $6::text[], $7::text[], $8::text[],
                        $9::text[], $10::text[], $11::text[], $12::text[]) WITH ORDINALITY
                 AS e (target, line, "column", kind, strength, raw, fragment, raw_fragment,
                       problem, words, ordinal)
        ), place AS (
            INSERT INTO content.anchor (item, id, line, name)
            SELECT $1, a.id, a.line, a.name
            FROM unnest($13::uuid[], $14::int4[], $15::text[]) AS a (id, line, name)
        )
        SELECT g.place FROM goal g WHERE g.id NOT IN (SELECT h.id FROM held h)
        """
    let item: UUID
    let targets: PageTargets
    let page: ScannedPage

    func bind(_ parameters: inout PostgresParameters) throws {
        let (edges, anchors) = (page.edges, page.anchors)
        try parameters.append(item)
        try parameters.append(targets.ids)
        try parameters.append(edges.map { edge in edge.target.flatMap { targets[$0.href] } })
        try parameters.append(edges.map { Int32(clamping: $0.line) })
        try parameters.append(edges.map { Int32(clamping: $0.column) })
        try parameters.append(edges.map(\.kind))
        try parameters.append(edges.map(\.strength))
        try parameters.append(edges.map(\.raw))
        try parameters.append(edges.map(\.fragment))
        try parameters.append(edges.map(\.rawFragment))
        try parameters.append(edges.map(\.problem))
        try parameters.append(edges.map(\.words))
        try parameters.append(anchors.map { Digest.id(of: $0.name) })
        try parameters.append(anchors.map { Int32(clamping: $0.position.line) })
        try parameters.append(anchors.map(\.name))
    }

    /// The place of one that is gone, from 1.
    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        try row.total(0)
    }
}
