import TenureFoundation
import TenurePostgres

/// What is changed of a pending job; what is nil stays as it is.
public struct JobEdit: Sendable {
    public var runTime: RunTime?
    public var priority: JobPriority?
    public var queue: QueueName?
    public var maxAttempts: Int?
    /// In the place of all that it has; empty: none.
    public var tags: [String]?
    private(set) var payload: String?
    let payloadVersion: Int16?

    /// - Parameters:
    ///   - payload: JSON, of the form that the job's type reads.
    ///   - payloadVersion: of that form; nil: as it is.
    /// - Throws: `TenureError` with `.invalidJob` for a payload that no job may have.
    public init(
        runTime: RunTime? = nil, priority: JobPriority? = nil, queue: QueueName? = nil,
        maxAttempts: Int? = nil, payload: String? = nil, payloadVersion: Int16? = nil,
        tags: [String]? = nil
    ) throws {
        self.tags = tags
        (self.runTime, self.priority, self.queue) = (runTime, priority, queue)
        (self.maxAttempts, self.payload, self.payloadVersion) = (
            maxAttempts, payload, payloadVersion
        )
        if let payload { try PayloadCheck.check(payload) }
    }

    /// With its payload as it is stored.
    fileprivate func sealed(by seals: PayloadSeals, for job: JobDetail) throws -> JobEdit {
        guard let payload else { return self }
        if seals.codec == nil, SealedJSON.isSealed(job.payload) {
            throw TenureError(
                .invalidJob,
                "the payload of job \(job.summary.id) is sealed, and the new one would not be: "
                    + "edit it with a client that has the codec, or cancel it and enqueue another")
        }
        var edit = self
        edit.payload = try seals.sealed(
            payload,
            for: PayloadContext(
                .payload, of: .job(job.summary.id), kind: job.summary.kind))
        return edit
    }

    /// What the database would refuse, named as it is here.
    func check() throws {
        if let queue {
            try JobLimits.check(
                name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        }
        if let priority { try JobLimits.check(Int(priority.rawValue), of: "priority", in: 0...9) }
        if let maxAttempts {
            try JobLimits.check(maxAttempts, of: "maxAttempts", in: 1...10_000)
        }
        if let payloadVersion {
            try JobLimits.check(
                Int(payloadVersion), of: "payloadVersion", in: 1...Int(Int16.max))
        }
        if let runTime {
            var options = EnqueueOptions()
            options.runTime = runTime
            try JobLimits.check(times: options, nil)
        }
        if let tags { try JobLimits.check(tags: tags) }
        let isEmpty =
            queue == nil && priority == nil && maxAttempts == nil && payloadVersion == nil
            && payload == nil && runTime == nil && tags == nil
        guard !isEmpty else {
            throw TenureError(
                .invalidJob,
                "the edit changes nothing; give a run time, a priority, a queue, a payload, "
                    + "attempts or tags")
        }
    }
}

/// What came of an edit: it is done whole, or not at all.
public enum EditResult: String, Sendable, Codable {
    case edited
    /// It runs, or a worker has claimed it.
    case running
    /// It waits for a signal or a time: its run time is not its own.
    case waiting
    /// Its runs have left steps or a wait behind them, which belong to the old payload.
    case begun
    /// Its key has a newer job, or has committed one: it will not run any more.
    case outdated
    case finished
    /// There is no job of that id, or history has dropped it.
    case unknown

    /// For people: why nothing was done, and what can be.
    package var words: String {
        switch self {
        case .edited: "it was edited"
        case .running: "it runs, or a worker has claimed it; cancel it, or wait for its end"
        case .waiting: "it waits for a signal or a time, and its run time is not its own"
        case .begun:
            "its runs have left steps or a wait behind them, which belong to the old payload; "
                + "cancel it, and enqueue another"
        case .outdated: "its key has a newer job, or has committed one: it will not run any more"
        case .finished: "it is over; enqueue another"
        case .unknown: "there is no such job, or history has dropped it"
        }
    }
}

extension Operator {
    /// Changes a job that has not started: all of it, or nothing.
    ///
    /// A run time that is over is now. A new payload is a new generation of the job's key, as a
    /// coalescing enqueue's is; a held job with a new payload is no longer held. A later enqueue of
    /// the key may replace what was edited, as its mode says; what a schedule enqueues next is as
    /// the schedule has it. A job of a lane that changes its queue comes to the lane of that name
    /// there, with the same limits where that is new.
    /// - Throws: `TenureError` with `.invalidJob` for what no job may have, and where a payload
    ///   that is sealed would be replaced by one that isn't; `PostgresError` with
    ///   SQLSTATE TN003 for what this one can't: a run time behind its expiry, fewer attempts than
    ///   it has had.
    public func edit(_ job: JobID, _ edit: JobEdit) async throws -> EditResult {
        try edit.check()
        var edit = edit
        // A payload is new; what is sealed is new for this very job, of this kind.
        if edit.payload != nil, let found = try await Inspector(pool: client.pool).job(job) {
            edit = try edit.sealed(by: client.seals, for: found)
        }
        let result = try await client.pool.ask(EditJob(job: job, edit: edit, doer: doer))[0]
        if result == .edited,
            let queue = try await Inspector(pool: client.pool).job(job)?.summary.queue
        {
            await wakeUp([queue])
        }
        return result
    }
}

struct EditJob: PostgresStatement {
    static let sql = """
        SELECT tenure.edit_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """
    let job: JobID
    let edit: JobEdit
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(whom: doer.whom)
        try parameters.append(edit.date)
        try parameters.append(edit.pause)
        try parameters.append(edit.priority.map { Int32($0.rawValue) })
        try parameters.append(edit.queue?.rawValue)
        try parameters.append(edit.payload.map { PostgresJSON($0) })
        try parameters.append(edit.payloadVersion.map { Int32($0) })
        try parameters.append(edit.maxAttempts.map { Int32($0) })
        try parameters.append(note: doer.note())
        try parameters.append(edit.tags)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> EditResult {
        try EditResult(answer: row.decode(0), to: "an edit")
    }
}

extension JobEdit {
    /// By the producer's clock.
    fileprivate var date: Date? {
        if case .at(let date)? = runTime?.moment { date } else { nil }
    }

    /// From now on, by the database's clock.
    fileprivate var pause: Duration? {
        switch runTime?.moment {
        case .now: .zero
        case .after(let pause): pause
        case .at, nil: nil
        }
    }
}
