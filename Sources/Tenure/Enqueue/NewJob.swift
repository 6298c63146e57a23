import TenureFoundation

/// A job on its way in: checked, encoded, with an id of its own.
///
/// It stands for one job, however often it is enqueued: while that one is unfinished, as long as
/// history keeps it, and for as long again where it was deleted or forgotten, enqueueing it again
/// changes nothing and answers `.kept`.
public struct NewJob: Sendable {
    public let id: JobID
    /// Its id may have been enqueued before: the enqueue looks. What the library has drawn for
    /// this value, and nobody sent yet, costs no look.
    package private(set) var isGiven: Bool
    private let sendings = Sending()
    public let kind: JobKind
    public let queue: QueueName
    package private(set) var payload: String
    package let payloadVersion: Int16
    package let mode: KeyMode?
    package let priority: Int16
    package let maxAttempts: Int
    package private(set) var options: EnqueueOptions

    /// What neither the mode nor the options say is as the job's type has it (``Job/options``).
    /// - Parameter id: a name that you choose for the job, so that sending it again, from another
    ///   process or after a crash, doesn't run it twice: the second enqueue of an id answers
    ///   `.kept` with the job that stands for the first, at least as long as that job is unfinished
    ///   or in history, and then for as long as history is kept (24 hours by default) where it was
    ///   deleted or forgotten. Nil: the library draws one, which costs the enqueue no look.
    /// - Throws: `TenureError` with code `.invalidJob`, naming the field, its shape and the remedy.
    public init<J: Job>(
        _ job: J, _ mode: KeyMode? = nil, options: EnqueueOptions = EnqueueOptions(),
        id: JobID? = nil
    ) throws {
        let payload: String
        do {
            payload = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
        } catch {
            throw TenureError(
                .invalidJob, "the payload of \(J.kind) does not encode: \(error)", cause: error)
        }
        try self.init(job, payload: payload, version: nil, mode, options: options, id: id)
    }

    /// A job whose payload is JSON text of its type already.
    /// - Parameter version: of the payload's form; nil for the one that this release writes.
    package init<J: Job>(
        _ job: J, payload: String, version: Int16?, _ mode: KeyMode?, options: EnqueueOptions,
        id: JobID?
    ) throws {
        let own = J.options
        try own.check(of: J.kind)
        var options = options
        options.lane = options.lane ?? own.lane(job)
        options.notAfter = options.notAfter ?? own.notAfter(job)
        try self.init(
            kind: J.kind, payload: payload, payloadVersion: version ?? own.payloadVersion,
            mode ?? own.key(job), queue: options.queue ?? own.queue,
            priority: options.priority ?? own.priority,
            maxAttempts: options.maxAttempts ?? own.retry.maxAttempts, options: options, id: id)
    }

    /// A job whose payload is JSON text already, for kinds that this program has no type for.
    public init(
        kind: JobKind, payload: String, payloadVersion: Int16 = 1, _ mode: KeyMode? = nil,
        queue: QueueName = .default, priority: JobPriority = .normal, maxAttempts: Int = 25,
        options: EnqueueOptions = EnqueueOptions(), id: JobID? = nil
    ) throws {
        if SealedJSON.looksSealed(payload) {
            throw TenureError(
                .invalidJob,
                "the payload has a field \(SealedJSON.name), as content that a codec has sealed: "
                    + "enqueue what it opens to, or give the field another name")
        }
        try JobLimits.check(name: kind.rawValue, of: "kind", longest: JobLimits.longestName)
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        if let mode {
            try JobLimits.check(name: mode.key, of: "key", longest: JobLimits.longestKey)
        }
        if let lane = options.lane {
            try JobLimits.check(name: lane.name, of: "lane", longest: JobLimits.longestKey)
            try JobLimits.check(lane.maxRunning, of: "lane.maxRunning", in: 1...1_000_000)
            try JobLimits.check(lane.burst, of: "lane.burst", in: 1...Lane.longestBurst)
            try JobLimits.check(lane.weight, of: "lane.weight", in: 1...Lane.greatestWeight)
            if let rate = lane.rate { try JobLimits.check(rate, of: "lane.rate") }
        }
        if let trace = options.trace {
            try JobLimits.check(text: trace, of: "trace", longest: JobLimits.longestTrace)
        }
        try JobLimits.check(tags: options.tags)
        if options.batch != nil, options.leavesBatch {
            throw TenureError(
                .invalidJob, "the options name a batch and have leavesBatch; give one of them")
        }
        try JobLimits.check(times: options, mode)
        try JobLimits.check(options.after, mode)
        try JobLimits.check(options.notAfter, runTime: options.runTime, mode: mode)
        try JobLimits.check(Int(priority.rawValue), of: "priority", in: 0...9)
        try JobLimits.check(maxAttempts, of: "maxAttempts", in: 1...10_000)
        try JobLimits.check(Int(payloadVersion), of: "payloadVersion", in: 1...Int(Int16.max))
        try PayloadCheck.check(payload)
        self.id = id ?? JobID()
        isGiven = id != nil
        self.kind = kind
        self.queue = queue
        self.payload = payload
        self.payloadVersion = payloadVersion
        self.mode = mode
        self.priority = priority.rawValue
        self.maxAttempts = maxAttempts
        self.options = options
    }

    /// Whether it was sent before: its id is one that may be there. To be asked once when it is
    /// sent.
    fileprivate var isSentAgain: Bool { sendings.isAgain() }

    /// The same job as one whose id may be there.
    fileprivate var given: NewJob {
        var job = self
        job.isGiven = true
        return job
    }

    /// The same job as part of a batch.
    func inBatch(_ batch: UUID) -> NewJob {
        var job = self
        job.options.batch = batch
        return job
    }

    /// The same job as it is stored.
    /// - Parameter owner: the job that it is the content of; nil: itself.
    /// - Throws: `TenureError` with `.invalidJob`.
    package func sealed(by seals: PayloadSeals, of owner: JobID? = nil) throws -> NewJob {
        if seals.codec == nil { return self }
        var job = self
        job.payload = try seals.sealed(
            payload,
            for: PayloadContext(
                .payload, of: owner.map { .job($0) } ?? self.owner, kind: kind))
        return job
    }

    /// Whose its payload is. A pending job of its key may take it in.
    private var owner: PayloadContext.Owner {
        switch mode?.way {
        case .coalescing, .debounced: .key(mode?.key ?? "")
        case .superseding, .keeping, nil: .job(id)
        }
    }

    /// The same job below another.
    func under(_ parent: JobID) -> NewJob {
        var job = self
        job.options.parent = parent
        return job
    }

    /// The same job with a trace, unless it has one.
    func traced(_ trace: String) -> NewJob {
        if options.trace != nil { return self }
        var job = self
        job.options.trace = trace
        return job
    }
}

/// Whether a value, or a copy of it, was sent before.
private final class Sending: Sendable {
    private let wasSent = Lock(false)

    func isAgain() -> Bool {
        wasSent.withLock { wasSent in
            defer { wasSent = true }
            return wasSent
        }
    }
}

extension [NewJob] {
    /// To be called once for each enqueue, however often that is tried.
    package var sent: [NewJob] {
        var jobs = self
        for index in jobs.indices where jobs[index].isSentAgain { jobs[index] = jobs[index].given }
        return jobs
    }

    /// As they are stored.
    /// - Throws: `TenureError` with `.invalidJob`.
    func sealed(by seals: PayloadSeals) throws -> [NewJob] {
        seals.codec == nil ? self : try map { try $0.sealed(by: seals) }
    }

    /// How many go into each queue. Mostly all are of one.
    var countByQueue: [QueueName: Int] {
        guard let first = first?.queue else { return [:] }
        if allSatisfy({ $0.queue == first }) { return [first: count] }
        return Dictionary(map { ($0.queue, 1) }, uniquingKeysWith: +)
    }

    var queues: Set<QueueName> {
        guard let first = first?.queue else { return [] }
        return allSatisfy { $0.queue == first } ? [first] : Set(map(\.queue))
    }
}

/// What is printed never shows the payload: part of it may be secret.
extension NewJob: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        let key = mode.map { ", key \($0.key)" } ?? ""
        return "job \(id) of \(kind) for queue \(queue)\(key), "
            + "\(payload.utf8.count) bytes of payload"
    }

    public var debugDescription: String { description }
}
