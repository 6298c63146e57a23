import TenurePostgres

struct CancelJob: PostgresStatement {
    static let sql = "SELECT tenure.cancel_job($1, $2, $3)"
    let job: JobID
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult.Result {
        try JobResult.Result(answer: row.decode(0), to: "a cancellation")
    }
}
