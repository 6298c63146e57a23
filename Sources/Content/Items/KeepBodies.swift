import Tenure

/// Keeps bodies, each once, whoever has them. Those that are there already are held until the
/// commit: no sweep drops one before what refers to it now can be seen. In the order of their
/// hashes: two who keep the same never deadlock.
struct KeepBodies: PostgresStatement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT b.hash FROM content.body b WHERE b.hash = ANY ($1) ORDER BY b.hash FOR KEY SHARE
        )
        INSERT INTO content.body (hash, bytes)
        SELECT g.hash, g.bytes FROM unnest($1::bytea[], $2::bytea[]) AS g (hash, bytes)
        WHERE NOT EXISTS (SELECT FROM held h WHERE h.hash = g.hash) ORDER BY g.hash
        ON CONFLICT (hash) DO UPDATE SET stored_at = content.now()
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
