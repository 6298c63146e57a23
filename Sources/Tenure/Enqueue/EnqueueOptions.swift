public import FoundationEssentials

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
    public var maxAttempts: Int?
    public var lane: Lane?
    /// The tree of jobs it belongs to.
    public var run: UUID?
    public var parent: JobID?
    /// The trace context that the run goes on from: a W3C `traceparent`, or a JSON object of the
    /// fields that a tracer carries, at most 4096 bytes. When nil, the enqueue takes that of the
    /// current task, where a tracer is bootstrapped.
    public var trace: String?
    public init() {}
}
