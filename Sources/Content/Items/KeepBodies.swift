import Tenure

/// Keeps bodies, each once, whoever has them. In the order of their hashes: two who keep the same
/// never deadlock.
struct KeepBodies: PostgresStatement {
    static let sql = """
        INSERT INTO content.body (hash, bytes)
        SELECT unnest($1::bytea[]), unnest($2::bytea[]) ON CONFLICT DO NOTHING
        """
    /// Sorted by their hashes, each once.
    private let rows: ArraySlice<Entry>

    struct Entry: Sendable {
        /// Its SHA-256.
        let hash: [UInt8]
        let body: [UInt8]
    }

    /// - Returns: so many statements that none is too large.
    static func all(_ rows: [Entry]) -> [KeepBodies] {
        var last: [UInt8]?
        return rows.sorted { $0.hash.lexicographicallyPrecedes($1.hash) }
            .filter { row in
                defer { last = row.hash }
                return row.hash != last
            }
            .portions(of: \.body.count).map(KeepBodies.init)
    }

    private init(_ rows: ArraySlice<Entry>) { self.rows = rows }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.hash))
        try parameters.append(rows.map(\.body))
    }
}
