// docs/decisions/functions.md

import TenureFoundation
package import TenurePostgres

/// Adds jobs of any mode; a row for each, in the caller's order. What `tenure.enqueue_jobs` does
/// for one jsonb array, it does for arrays of values.
package struct EnqueueJobs: PostgresStatement {
    package static let sql = """
        SELECT e.ordinal, e.id, e.generation, e.result
        FROM tenure.enqueue_many(
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
            $20, $21, $22, $23, $24, $25, $26, $27, $28, $29) AS e
        ORDER BY e.ordinal
        """
    let jobs: [NewJob]
    /// Only if each of them will leave a row, whatever becomes of it; no rows come back otherwise.
    let ifKept: Bool

    package init(_ jobs: [NewJob], ifKept: Bool = false) {
        self.jobs = jobs
        self.ifKept = ifKept
    }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.id.uuid))
        try parameters.append(jobs.map(\.kind.rawValue))
        try parameters.append(jobs.map(\.queue.rawValue))
        try parameters.append(jobs.column(\.mode?.key))
        try parameters.append(jobs.column(\.mode?.way.rawValue))
        try parameters.append(jobs.map { PostgresJSON($0.payload) })
        try parameters.append(jobs.map(\.payloadVersion))
        try parameters.append(jobs.map(\.priority))
        try parameters.append(jobs.column(\.date))
        try parameters.append(jobs.column(\.delay))
        try parameters.append(jobs.map { Int32($0.maxAttempts) })
        try parameters.append(jobs.map { $0.mode?.overlap ?? true })
        try parameters.append(jobs.column(\.mode?.maxWait))
        try parameters.append(jobs.column(\.options.lane?.name))
        try parameters.append(jobs.column { $0.options.lane.map { Int32($0.maxRunning) } })
        try parameters.append(jobs.column(\.options.lane?.minInterval))
        try parameters.append(jobs.column(\.options.batch))
        try parameters.append(jobs.column(\.options.parent?.uuid))
        try parameters.append(jobs.column(\.options.trace))
        try parameters.append(jobs.column(\.lastDate))
        try parameters.append(jobs.column(\.lastDelay))
        try parameters.append(ifKept)
        try parameters.append(jobs.column { $0.isGiven ? true : nil })
        try parameters.append(jobs.column { $0.options.after.waitsJSON.map { PostgresJSON($0) } })
        try parameters.append(jobs.column(\.mode?.within))
        try parameters.append(
            jobs.column { $0.options.lane.flatMap { $0.burst == 1 ? nil : Int32($0.burst) } })
        try parameters.append(
            jobs.column { $0.options.lane.flatMap { $0.weight == 1 ? nil : Int16($0.weight) } })
        try parameters.append(jobs.column { $0.options.lane?.order == .strict ? true : nil })
        try parameters.append(
            jobs.column { JobsJSON.tags($0.options.tags).map { PostgresJSON($0) } })
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> EnqueuedJob {
        EnqueuedJob(
            id: JobID(try row.decode(1, as: UUID.self)),
            generation: try row.decode(2, as: Int64?.self).map { Generation($0) },
            result: try EnqueuedJob.Result(answer: row.decode(3), to: "an enqueue"))
    }
}

extension [NewJob] {
    /// Nothing at all where nobody has a value: `unnest` fills it up.
    func column<Value>(_ value: (NewJob) -> Value?) -> [Value?]? {
        let values = map(value)
        return values.contains { $0 != nil } ? values : nil
    }
}

extension NewJob {
    /// On the producer's clock.
    var date: Date? { if case .at(let date) = options.runTime.moment { date } else { nil } }

    /// From the database's clock on.
    var delay: Duration? {
        switch options.runTime.moment {
        case .now: mode?.interval ?? .zero
        case .after(let delay): max(delay, mode?.interval ?? .zero)
        case .at: nil
        }
    }

    /// When it expires, as a date.
    var lastDate: Date? {
        if case .at(let date) = options.notAfter?.moment { date } else { nil }
    }

    /// When it expires, from the database's clock on.
    var lastDelay: Duration? {
        if case .after(let delay) = options.notAfter?.moment { delay } else { nil }
    }
}
