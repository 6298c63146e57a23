import Tenure
import Web

/// Writes an item's references, in the order of the document.
struct InsertReferences: PostgresStatement {
    static let sql = """
        INSERT INTO content.reference (
            item, ordinal, target, line, "column", kind, strength, raw, fragment, raw_fragment,
            problem, words)
        SELECT content.digest($1), e.ordinal, content.digest(e.target), e.line, e."column", e.kind,
               e.strength, e.raw, e.fragment, e.raw_fragment, e.problem, e.words
        FROM unnest($2::text[], $3::int4[], $4::int4[], $5::text[], $6::text[], $7::text[],
                    $8::text[], $9::text[], $10::text[], $11::text[]) WITH ORDINALITY
             AS e (target, line, "column", kind, strength, raw, fragment, raw_fragment, problem,
                   words, ordinal)
        """
    let url: String
    let edges: [Edge]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(edges.map { $0.target?.href })
        try parameters.append(edges.map { Int32(clamping: $0.line) })
        try parameters.append(edges.map { Int32(clamping: $0.column) })
        try parameters.append(edges.map(\.kind))
        try parameters.append(edges.map(\.strength))
        try parameters.append(edges.map(\.raw))
        try parameters.append(edges.map(\.fragment))
        try parameters.append(edges.map(\.rawFragment))
        try parameters.append(edges.map(\.problem))
        try parameters.append(edges.map(\.words))
    }
}
