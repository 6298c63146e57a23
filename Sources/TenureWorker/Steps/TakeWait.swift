import Tenure
import TenureFoundation
import TenurePostgres

/// How a wait came to its end.
struct EndedWait: Sendable {
    let way: JobStep.Way
    /// Of the signal, as JSON.
    let payload: String?
}

/// Ends a wait, in a transaction behind the fence: no row where there is something to wait for.
struct TakeWait: PostgresStatement {
    static let sql = """
        SELECT w.how::text, w.payload FROM tenure.take_wait($1, $2, $3, $4) AS w
        """
    let run: RunRef
    let wait: Wait

    init(_ wait: Wait, of run: RunRef) { (self.run, self.wait) = (run, wait) }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(wait.step)
        try parameters.append(wait.signal)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> EndedWait {
        let way: String = try row.decode(0)
        return EndedWait(
            way: JobStep.Way(rawValue: way) ?? .timeout,
            payload: try row.decode(1, as: PostgresJSON?.self)?.text)
    }
}

/// Receives a signal that was seen, and no other, in a transaction behind the fence.
struct TakeSignal: PostgresStatement {
    static let sql = "SELECT tenure.take_signal($1, $2, $3, $4)"
    let run: RunRef
    let step: String
    let id: UUID

    init(_ id: UUID, as step: String, of run: RunRef) {
        (self.run, self.step, self.id) = (run, step, id)
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(step)
        try parameters.append(id)
    }
}
