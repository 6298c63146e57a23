import Tenure
import TenurePostgres

/// Keeps a step as done, in the transaction that holds its writes.
struct KeepStep: PostgresStatement {
    static let sql = "SELECT tenure.keep_step($1, $2, $3, $4, $5, $6)"
    let run: RunRef
    let name: String
    let type: String
    /// JSON.
    let result: String?
    let took: Duration

    init(_ name: String, of run: RunRef, type: String, result: String?, took: Duration) {
        (self.run, self.name, self.type) = (run, name, type)
        (self.result, self.took) = (result, took)
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(name)
        try parameters.append(type)
        try parameters.append(result.map { PostgresJSON($0) })
        try parameters.append(took)
    }
}
