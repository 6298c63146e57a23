import Tenure

/// Forgets a bite of what is older than it is kept; returns how many rows that was.
struct ForgetOld: PostgresStatement {
    static let sql = """
        SELECT CASE $1 WHEN 'checks' THEN content.forget_checks($2, $3)
                       WHEN 'events' THEN content.forget_events($2, $3)
                       WHEN 'notices' THEN content.forget_notices($2, $3)
                       WHEN 'candidates' THEN content.forget_candidates($2, $3) END
        """
    enum What: String, Sendable, CaseIterable {
        case checks, events, notices, candidates
    }
    let what: What
    let kept: Duration
    /// A transaction of a few milliseconds.
    static let most = 1000

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(what.rawValue)
        try parameters.append(kept)
        try parameters.append(Int32(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.total(0) }
}
