import Tenure

/// Somebody may still read what is about to be replaced.
struct SpareBody: PostgresStatement {
    static let sql = """
        WITH small AS (
            UPDATE content.body SET stored_at = content.now() WHERE hash = $1
        )
        UPDATE content.large_body SET kept_at = clock_timestamp() WHERE hash = $1
        """
    let hash: [UInt8]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hash) }
}
