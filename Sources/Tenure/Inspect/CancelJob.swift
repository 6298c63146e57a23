import TenurePostgres

/// What became of a cancellation.
public enum Cancelled: String, Sendable, Codable {
    /// It had not started: it is over.
    case cancelled
    /// It runs: its worker is told, and it is over when its run has let go.
    case cancelling
    /// It was over already.
    case finished
    /// There is no job of that id, or history has dropped it.
    case unknown
}

struct CancelJob: PostgresStatement {
    static let sql = "SELECT tenure.cancel_job($1, $2)"
    let job: JobID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Cancelled {
        let text = try row.decode(0, as: String.self)
        guard let became = Cancelled(rawValue: text) else {
            throw TenureError(
                .schemaMismatch,
                "the database answered \"\(text)\" to a cancellation: it is newer than this program"
            )
        }
        return became
    }
}
