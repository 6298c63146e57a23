import Tenure
import TenurePostgres

/// Forgets what was behind jobs that history has forgotten, too.
struct DropSteps: PostgresStatement {
    static let sql = "SELECT tenure.drop_steps($1)"
    let kept: Duration

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(kept) }
}
