import FoundationEssentials
import Tenure

/// Writes that an item is as it was.
struct ConfirmItem: PostgresStatement {
    static let sql = """
        UPDATE content.item
        SET outcome = 'unchanged', attempted_at = clock_timestamp(),
            fresh_until = now() + $2::interval
        WHERE id = content.digest($1)
        """
    let url: String
    let freshFor: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(freshFor)
    }
}
