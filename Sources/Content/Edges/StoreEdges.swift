import Tenure
import TenureFoundation
import Web

/// Writes what pages refer to, in the order of each document. The targets are held.
struct StoreEdges: PostgresStatement {
    static let sql = """
        INSERT INTO content.reference (
            item, ordinal, target, line, "column", kind, strength, raw, fragment, raw_fragment,
            problem, words)
        SELECT n.* FROM unnest(
            $1::uuid[], $2::int4[], $3::uuid[], $4::int4[], $5::int4[], $6::text[], $7::text[],
            $8::text[], $9::text[], $10::text[], $11::text[], $12::text[]) AS n
        """
    let rows: ArraySlice<Entry>

    struct Entry: Sendable {
        let item: UUID
        /// From 1.
        let ordinal: Int
        let target: UUID?
        let edge: Edge

        /// About how many bytes it has.
        var size: Int { 200 + edge.raw.utf8.count + (edge.words?.utf8.count ?? 0) }

        /// All of a page.
        static func all(_ page: ScannedPage, _ targets: PageTargets, of item: UUID) -> [Entry] {
            page.edges.enumerated().map { index, edge in
                Entry(
                    item: item, ordinal: index + 1,
                    target: edge.target.flatMap { targets[$0.href] }, edge: edge)
            }
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map { Int32(clamping: $0.ordinal) })
        try parameters.append(rows.map(\.target))
        try parameters.append(rows.map { Int32(clamping: $0.edge.line) })
        try parameters.append(rows.map { Int32(clamping: $0.edge.column) })
        try parameters.append(rows.map(\.edge.kind))
        try parameters.append(rows.map(\.edge.strength))
        try parameters.append(rows.map(\.edge.raw))
        try parameters.append(rows.map(\.edge.fragment))
        try parameters.append(rows.map(\.edge.rawFragment))
        try parameters.append(rows.map(\.edge.problem))
        try parameters.append(rows.map(\.edge.words))
    }
}

/// Writes the places in pages that can be referred to; of each page, a name once.
struct StoreAnchors: PostgresStatement {
    static let sql = """
        INSERT INTO content.anchor (item, id, line, name)
        SELECT n.* FROM unnest($1::uuid[], $2::uuid[], $3::int4[], $4::text[]) AS n
        """
    let rows: ArraySlice<Entry>

    struct Entry: Sendable {
        let item: UUID
        let id: UUID
        let anchor: Anchor

        /// About how many bytes it has.
        var size: Int { 60 + anchor.name.utf8.count }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map(\.id))
        try parameters.append(rows.map { Int32(clamping: $0.anchor.position.line) })
        try parameters.append(rows.map(\.anchor.name))
    }
}
