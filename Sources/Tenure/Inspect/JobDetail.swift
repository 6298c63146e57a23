public import TenureFoundation

/// Everything that is known of one job.
public struct JobDetail: Sendable {
    public let summary: JobSummary
    /// All of it, as it is stored; show `shownPayload`.
    public let payload: String
    public let payloadVersion: Int16
    /// All runs, the refunded ones too.
    public let runs: Int
    public let lane: String?
    public let fence: Fence?
    public let session: SessionID?
    /// Name and state of the session that runs it, or ran it last.
    public let worker: String?
    public let workerEndedAt: Date?
    public let endingAt: Date?
    /// Who cancelled it, why it was discarded or held, what superseded it.
    public let reason: String?
    public let result: String?
    public let batch: UUID?
    public let parent: JobID?
    public let retryOf: JobID?
    public let supersededBy: JobID?
    public let trace: String?
    public let subject: JobSubject?
    /// How long that session may be silent, and how long ago its last beat was.
    public let lease: Duration?
    public let sinceBeat: Duration?
    /// What of the payload is not to be shown, as far as workers of its kind have said.
    public var secretFields: SecretFields
    /// The releases of workers that could not run it, and leave it to others.
    public let holdVersions: [String]
    /// The job that was enqueued to tell that this one was discarded: see ``LetterAddress``.
    public let letter: JobID?
    /// By which people find it, sorted.
    public let tags: [String]
    /// What its runs have reported; nil when none has.
    public internal(set) var progress: ReportedProgress?
    public internal(set) var errors: [JobAttemptError] = []
    /// What is behind its handler, in order.
    public internal(set) var steps: [JobStep] = []
    /// The last 200 lines that its runs have logged, where its kind keeps them, in order.
    public internal(set) var log: [JobLogLine] = []
    /// What it waits for.
    public internal(set) var waits: [JobWait] = []
    /// The jobs that it waits for, or has waited for.
    public internal(set) var after = JobLinks.none
    /// The jobs that wait for it, or have waited for it.
    public internal(set) var waiters = JobLinks.none
    /// The signals that it has not received yet, the oldest first.
    public internal(set) var signals: [JobSignal] = []

    /// The payload with a mask in the place of what its type calls secret. One that is sealed is
    /// the JSON string `"sealed with key NAME"`.
    public var shownPayload: String {
        SealedJSON.isSealed(payload) ? SealedJSON.shown(payload) : secretFields.masked(payload)
    }
    /// The same of its result.
    package var shownResult: String? { result.map { SealedJSON.shown($0) } }
}

/// The key's own numbers.
public struct JobSubject: Sendable {
    /// The newest generation given.
    public let issued: Generation
    /// The oldest that may still commit.
    public let floor: Generation
    /// The newest that did.
    public let committed: Generation
}

extension JobSubject: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "issued": issued.rawValue, "floor": floor.rawValue, "committed": committed.rawValue,
        ])
    }
}

/// An attempt that failed.
public struct JobAttemptError: Sendable {
    public let attempt: Int
    public let failedAt: Date
    public let fence: Fence
    public let session: SessionID?
    /// That session's name, as long as it is remembered.
    public let worker: String?
    public let code: String
    public let message: String
}

extension JobAttemptError: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "attempt": attempt, "failedAt": failedAt, "fence": fence.rawValue,
            "session": session?.rawValue, "worker": worker, "code": code, "message": message,
        ])
    }
}
