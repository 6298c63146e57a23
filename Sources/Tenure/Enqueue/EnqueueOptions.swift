public import TenureFoundation

/// When a job may first run.
public struct RunTime: Sendable {
    package enum Moment: Sendable {
        case now
        case after(Duration)
        case at(Date)
    }
    package let moment: Moment
    /// The database's clock at the enqueue.
    public static let now = RunTime(moment: .now)
    /// The database's clock at the enqueue, plus a delay.
    public static func after(_ delay: Duration) -> RunTime { RunTime(moment: .after(delay)) }
    /// A point in time on the producer's clock.
    public static func at(_ date: Date) -> RunTime { RunTime(moment: .at(date)) }
}

/// What one enqueue may say beyond its job and key. Whatever is nil comes from the job's type.
public struct EnqueueOptions: Sendable {
    public var queue: QueueName?
    public var priority: JobPriority?
    public var runTime: RunTime = .now
    /// No run of the job begins at this time or later. It begins with its claim: a worker starts
    /// what it has claimed within a sixth of its lease (5 s by default), or hands it back. A run
    /// that has begun goes on; an attempt that would follow a failure, a snooze or a death too late
    /// is not made. A job that expired ends as `discarded`, with a reason that begins with
    /// `expired:`, within a second or so where a coordinator runs, and within 30 s where a worker
    /// does. Where a key's pending job takes in a newer one (coalescing, debounced) the newer one's
    /// expiry counts. An operator's retry takes it away. Nil: it never expires.
    public var notAfter: Expiry?
    /// Jobs that have to end, or keys that have to commit, before it may start: jobs that are
    /// unfinished or in history, or others of the same call or transaction, in any order but a
    /// circle; at most 10,000. With several the last counts. It waits in the state `waiting`, and
    /// starts no earlier than its run time.
    ///
    /// They are looked at with the enqueue: an id or a key of which nothing is known is refused, as
    /// is a circle, by a `PostgresError` with SQLSTATE `TN003`. Of what ended longer ago than
    /// history is kept nothing is known, unless another job waits for it. How those ended that a
    /// job waits for is kept with it, whatever becomes of history.
    ///
    /// A worker lets it go right after it has ended the last; what ended elsewhere, or with a
    /// worker that died, is found within some five seconds by any worker.
    public var after: [Predecessor] = []
    public var maxAttempts: Int?
    public var lane: Lane?
    /// The batch it belongs to. Nil: what a handler enqueues in its commit or checkpoint belongs
    /// to the handler's own batch, all else to none.
    public var batch: UUID?
    /// It belongs to no batch, although a handler that has one enqueues it in its commit.
    public var leavesBatch: Bool = false
    public var parent: JobID?
    /// A few words by which people find the job, in lists and for verbs on many: at most 10, each
    /// of 1 to 64 bytes without control characters; one that is given twice counts once. They stay
    /// with the job as long as history keeps it, and come along when it is run again. Where a
    /// key's pending job takes in a newer one (coalescing, debounced), the newer one's tags take
    /// the place of its own; if it has none, those stay. They are stored as they are: a codec seals
    /// no tags.
    public var tags: [String] = []
    /// The trace context that the run goes on from: a W3C `traceparent`, or a JSON object of the
    /// fields that a tracer carries, at most 4096 bytes. When nil, the enqueue takes that of the
    /// current task, where a tracer is bootstrapped.
    public var trace: String?

    /// Each of them may be left out; what is given goes before what the job's type says.
    public init(
        queue: QueueName? = nil, priority: JobPriority? = nil, runTime: RunTime = .now,
        notAfter: Expiry? = nil, after: [Predecessor] = [], maxAttempts: Int? = nil,
        lane: Lane? = nil, batch: UUID? = nil, leavesBatch: Bool = false, parent: JobID? = nil,
        tags: [String] = [], trace: String? = nil
    ) {
        self.queue = queue
        self.priority = priority
        self.runTime = runTime
        self.notAfter = notAfter
        self.after = after
        self.maxAttempts = maxAttempts
        self.lane = lane
        self.batch = batch
        self.leavesBatch = leavesBatch
        self.parent = parent
        self.tags = tags
        self.trace = trace
    }
}
