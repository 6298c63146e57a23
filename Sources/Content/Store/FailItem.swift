import FoundationEssentials
import Tenure

/// Writes why a fetch brought nothing. What was there stays.
struct FailItem: PostgresStatement {
    static let sql = """
        INSERT INTO content.item AS i (id, url, outcome, status)
        VALUES (content.digest($1), $1, $2, $3)
        ON CONFLICT (id) DO UPDATE
        SET outcome = EXCLUDED.outcome, status = EXCLUDED.status, attempted_at = clock_timestamp()
        """
    let url: String
    let outcome: String
    let status: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(outcome)
        try parameters.append(status.map(Int32.init))
    }
}
