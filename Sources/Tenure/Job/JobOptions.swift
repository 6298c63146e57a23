public import TenureFoundation

/// How the jobs of a type want to be run: one value, each part of it with a default.
///
/// What an enqueue gives (its ``KeyMode``, its ``EnqueueOptions``) goes before what stands here.
/// ``check(of:)`` says what can't be used; enqueues and workers call it.
///
/// ```swift
/// struct Remind: Job {
///     static let kind: JobKind = "remind"
///     static let options = JobOptions<Self>(
///         queue: "mail", retry: .exponential(maxAttempts: 5), timeout: .seconds(30),
///         key: { .keeping("remind-\($0.invoice)") })
///     let invoice: Int
/// }
/// ```
public struct JobOptions<J>: Sendable {
    /// The queue its jobs join.
    public var queue: QueueName
    /// Lower runs first, 0 to 9.
    public var priority: JobPriority
    /// How often, and after what pauses, a failed job is tried again.
    /// Default: 25 attempts, n⁴ seconds apart with 10 % jitter, at most a day.
    public var retry: RetryPolicy
    /// How long one run of the handler may take on the worker's clock. A run that takes longer
    /// is cancelled and counts as failed. Nil: none, and a warning after an hour.
    public var timeout: Duration?
    /// What a job is about, and what becomes of the jobs that its key has already. Nil: no key.
    public var key: @Sendable (J) -> KeyMode?
    /// The part of the queue whose limit a job shares.
    public var lane: @Sendable (J) -> Lane?
    /// Until when a job may begin; see ``EnqueueOptions/notAfter``.
    public var notAfter: @Sendable (J) -> Expiry?
    /// Where its discarded jobs are told of, each by a letter that is enqueued by whatever discards
    /// it. Workers say so when they start, and it stands until a worker or an operator says
    /// otherwise. Nil: nowhere, unless the queue has an address or an operator has given one.
    public var deadLetter: LetterAddress?
    /// The payload's fields that nobody is to be shown: their names as in its JSON, `card.number`
    /// for one inside another, in lists too.
    ///
    /// What shows a job shows a mask instead, and the text of an error, a reason or a note in which
    /// a run repeats such a value has a mask there. The database holds the value, and whoever may
    /// read the table `job` can read it: a reference to a vault is safer. Where a payload has no
    /// such field, a worker warns of it once.
    public var secretFields: Set<String>
    /// The last 200 lines that a run writes to `context.log` are kept with its job, for those who
    /// look at it: those of info and above, whatever the process's log shows, and below that what
    /// it shows. They are written with the run's end and with its checkpoints, behind its fence,
    /// and never by a statement of their own. Of a run that dies those up to its last checkpoint
    /// are there; of a late one, none. Of a job's runs the last five are kept, as long as history
    /// keeps the job. Secret fields are masked in them as everywhere. A codec seals no lines: a
    /// worker whose client has one refuses such a kind.
    public var keepsLog: Bool
    /// The form of the payloads that this release writes: a larger number with every change that
    /// the one before could not read. A worker holds the job of a newer form, until one that reads
    /// it has started.
    public var payloadVersion: Int16
    /// Makes a value of a payload that an earlier release wrote, of a version that is smaller than
    /// ``payloadVersion``. Called on the handler's task before the handler; when it throws, the job
    /// is held. Nil: the payload is decoded as it is.
    public var upgrade: (@Sendable (_ payload: Data, _ version: Int16) throws -> J)?

    public init(
        queue: QueueName = .default, priority: JobPriority = .normal,
        retry: RetryPolicy = .standard, timeout: Duration? = nil,
        key: @escaping @Sendable (J) -> KeyMode? = { _ in nil },
        lane: @escaping @Sendable (J) -> Lane? = { _ in nil },
        notAfter: @escaping @Sendable (J) -> Expiry? = { _ in nil },
        deadLetter: LetterAddress? = nil, secretFields: Set<String> = [], keepsLog: Bool = false,
        payloadVersion: Int16 = 1,
        upgrade: (@Sendable (_ payload: Data, _ version: Int16) throws -> J)? = nil
    ) {
        self.queue = queue
        self.priority = priority
        self.retry = retry
        self.timeout = timeout
        self.key = key
        self.lane = lane
        self.notAfter = notAfter
        self.deadLetter = deadLetter
        self.secretFields = secretFields
        self.keepsLog = keepsLog
        self.payloadVersion = payloadVersion
        self.upgrade = upgrade
    }

    /// Whether jobs can be run so.
    /// - Throws: `TenureError` with `.invalidJob` that names the kind, the field and the remedy.
    public func check(of kind: JobKind) throws {
        do {
            try JobLimits.check(name: kind.rawValue, of: "kind", longest: JobLimits.longestName)
            try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
            try JobLimits.check(Int(priority.rawValue), of: "priority", in: 0...9)
            try retry.check()
            try checkTimeout()
            try deadLetter?.check(of: kind)
            try checkSecretFields()
            try checkPayloadVersion()
        } catch let error as TenureError {
            throw TenureError(error.code, "the options of \(kind) can't be used: \(error.message)")
        }
    }

    private func checkTimeout() throws {
        if let timeout, timeout <= .zero {
            throw TenureError(
                .invalidJob, "timeout is \(timeout); give more than 0, or nil for none")
        }
    }

    private func checkSecretFields() throws {
        for field in secretFields
        where field.split(separator: ".", omittingEmptySubsequences: false).contains("") {
            throw TenureError(
                .invalidJob,
                "secretFields has \"\(field)\"; give names as in the JSON, such as card.number")
        }
    }

    private func checkPayloadVersion() throws {
        guard payloadVersion >= 1 else {
            throw TenureError(
                .invalidJob, "payloadVersion is \(payloadVersion); give 1 to \(Int16.max)")
        }
        guard upgrade == nil || payloadVersion > 1 else {
            throw TenureError(
                .invalidJob, "upgrade would never be called; give a payloadVersion above 1")
        }
    }
}

extension Job {
    /// Reads a payload of a version that this release knows.
    /// - Parameter options: the type's own.
    package static func read(
        _ payload: String, version: Int16, _ options: JobOptions<Self>
    ) throws -> Self {
        if version < options.payloadVersion, let upgrade = options.upgrade {
            return try upgrade(Data(payload.utf8), version)
        }
        return try PayloadDecoder.decode(Self.self, from: payload)
    }
}
