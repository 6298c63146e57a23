import Tenure
import TenurePostgres

/// Forgets how far jobs were that history has forgotten, too.
struct DropProgress: PostgresStatement {
    static let sql = "SELECT tenure.drop_progress($1)"
    let kept: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(kept) }
}
