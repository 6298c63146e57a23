import TenurePostgres

/// Adds one superseding job without a lane: the answer is its generation.
struct Supersede: PostgresStatement {
    static let sql = """
        SELECT tenure.supersede($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """
    let job: NewJob
    let mode: KeyMode
    /// Only if the job will leave a row, whatever becomes of it; there is no answer otherwise.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.id.uuid)
        try parameters.append(job.kind.rawValue)
        try parameters.append(job.queue.rawValue)
        try parameters.append(mode.key)
        try parameters.append(PostgresJSON(job.payload))
        try parameters.append(job.payloadVersion)
        try parameters.append(job.priority)
        try parameters.append(Int32(job.maxAttempts))
        try parameters.append(job.date)
        try parameters.append(job.delay)
        try parameters.append(mode.overlap)
        try parameters.append(job.options.run)
        try parameters.append(job.options.parent?.uuid)
        try parameters.append(job.options.trace)
        try parameters.append(ifKept)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Generation? {
        try row.decode(0, as: Int64?.self).map { Generation($0) }
    }
}
