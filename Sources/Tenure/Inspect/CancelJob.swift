import TenurePostgres

struct CancelJob: PostgresStatement {
    static let sql = "SELECT tenure.cancel_job($1, $2)"
    let job: JobID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(whom: whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult.Result {
        try JobResult.Result(answer: row.decode(0), to: "a cancellation")
    }
}
