import Tenure
import Web

/// Writes the references of several items. Pages and targets are sent once and named by their
/// places: a digest costs more than the row it goes into.
struct InsertPageReferences: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT array_agg(content.digest(u.href) ORDER BY u.n) AS ids
            FROM unnest($1::text[]) WITH ORDINALITY AS u (href, n)
        ), goal AS MATERIALIZED (
            SELECT array_agg(content.digest(u.href) ORDER BY u.n) AS ids
            FROM unnest($2::text[]) WITH ORDINALITY AS u (href, n)
        )
        INSERT INTO content.reference (
            item, ordinal, target, line, "column", kind, strength, raw, fragment, raw_fragment,
            problem, words)
        SELECT page.ids[e.page], e.ordinal, goal.ids[e.target], e.line, e."column", e.kind,
               e.strength, e.raw, e.fragment, e.raw_fragment, e.problem, e.words
        FROM page, goal,
             unnest($3::int4[], $4::int4[], $5::int4[], $6::int4[], $7::int4[], $8::text[],
                    $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[])
             AS e (page, ordinal, target, line, "column", kind, strength, raw, fragment,
                   raw_fragment, problem, words)
        """

    private let pages: [String]
    private var targets: [String] = []
    private var places: [Int32] = []
    private var ordinals: [Int32] = []
    private var goals: [Int32?] = []
    private var edges: [Edge] = []

    init(items: [FetchedItem]) {
        pages = items.map(\.url.href)
        var known: [String: Int32] = [:]
        for (index, item) in items.enumerated() {
            for (ordinal, edge) in item.edges.enumerated() {
                places.append(Int32(clamping: index + 1))
                ordinals.append(Int32(clamping: ordinal + 1))
                goals.append(edge.target.map { place(of: $0.href, &known) })
                edges.append(edge)
            }
        }
    }

    private mutating func place(of href: String, _ known: inout [String: Int32]) -> Int32 {
        if let place = known[href] { return place }
        targets.append(href)
        let place = Int32(clamping: targets.count)
        known[href] = place
        return place
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(pages)
        try parameters.append(targets)
        try parameters.append(places)
        try parameters.append(ordinals)
        try parameters.append(goals)
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
