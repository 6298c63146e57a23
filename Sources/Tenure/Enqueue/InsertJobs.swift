import TenureFoundation
import TenurePostgres

// Jobs that no other job has to do with, neither by key, lane nor batch, need no steps and no
// locks: they are plain rows. Both functions do for them what `tenure.enqueue_jobs` does, and check
// what it checks. They answer a row for each job; none, and nothing is written, where a completed
// job leaves no row: alone, without a transaction's id, the rows are all that can tell of a lost
// answer.

/// Adds one plain job.
struct InsertJob: PostgresStatement {
    static let sql = """
        SELECT FROM tenure.add_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """
    let job: NewJob
    /// Only if the job will leave a row, whatever becomes of it.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try job.bind(&parameters)
        try parameters.append(ifKept)
    }
}

/// Adds many plain jobs, all or none. Each run time is read as its row is made, so that jobs of
/// one call stand in the order of the call. The answer is how many.
struct InsertJobs: PostgresStatement {
    // Counted there: a row for each would be sent, and read, for nothing.
    static let sql = """
        SELECT count(*)
        FROM tenure.add_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        """
    let jobs: [NewJob]
    /// Only if each of them will leave a row, whatever becomes of it.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.id.uuid))
        try parameters.append(jobs.map(\.kind.rawValue))
        try parameters.append(jobs.map(\.queue.rawValue))
        try parameters.append(jobs.map { PostgresJSON($0.payload) })
        try parameters.append(jobs.map(\.payloadVersion))
        try parameters.append(jobs.map(\.priority))
        try parameters.append(jobs.map { Int32($0.maxAttempts) })
        try parameters.append(jobs.column(\.date))
        try parameters.append(jobs.column(\.delay))
        try parameters.append(jobs.column(\.options.batch))
        try parameters.append(jobs.column(\.options.parent?.uuid))
        try parameters.append(jobs.column(\.options.trace))
        try parameters.append(ifKept)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

extension NewJob {
    /// $1 to $12 of the statements that add one job.
    func bind(_ parameters: inout PostgresParameters) throws {
        let options = options
        try parameters.append(id.uuid)
        try parameters.append(kind.rawValue)
        try parameters.append(queue.rawValue)
        try parameters.append(PostgresJSON(payload))
        try parameters.append(payloadVersion)
        try parameters.append(priority)
        try parameters.append(Int32(maxAttempts))
        try parameters.append(date)
        try parameters.append(delay)
        try parameters.append(options.batch)
        try parameters.append(options.parent?.uuid)
        try parameters.append(options.trace)
    }

    /// No other job has to do with it, and no batch; nor does it expire, or wait, or have tags.
    var isPlain: Bool { mode == nil && options.batch == nil && isBare && !isGiven }

    /// It has nothing that only the long way writes.
    var isBare: Bool {
        options.lane == nil && options.notAfter == nil && options.after.isEmpty
            && options.tags.isEmpty
    }

    /// It comes to a row of its own, whatever its key has already.
    var isAlwaysNew: Bool { !isGiven && (mode == nil || mode?.way == .superseding) }

    /// What a plain job comes to.
    var enqueued: EnqueuedJob { EnqueuedJob(id: id, generation: nil, result: .enqueued) }
}
