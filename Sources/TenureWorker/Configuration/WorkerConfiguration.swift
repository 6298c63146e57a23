public import Tenure

/// How a worker works. Validated when the worker is made.
public struct WorkerConfiguration: Sendable {
    /// The queues it subscribes to, each with its number of concurrent jobs.
    public var queues: [QueueName: Int] = [.default: 10]
    /// Names the worker for people; host and process number by default.
    public var name: String = WorkerName.ofThisProcess
    /// The release of the program: jobs that another release had to hold are tried again.
    public var release: String = "0"
    /// How what its jobs carry is stored; nil: as JSON. A job that is sealed with a key that the
    /// codec doesn't have is held, and released by a worker that has it: to the database the names
    /// of the codec's keys are part of the release.
    public var codec: (any PayloadCodec)?
    public var lease: Duration = LeaseRule.defaultLength
    /// How often a worker looks for jobs when nothing wakes it.
    public var pollInterval: Duration = .seconds(1)
    /// The same while wake-ups arrive (LISTEN is healthy).
    public var listeningPollInterval: Duration = .seconds(30)
    /// How often it looks at what no event announces: jobs that expired, and jobs that an older
    /// worker held and this one can read.
    public var sweepInterval: Duration = .seconds(30)
    /// Whether notifications wake it. Where a pooler hides them polling alone finds jobs; the
    /// worker finds that out and says so at its start.
    public var listens = true
    /// Where it listens, if not where its pool leads: the server itself, past a pooler.
    public var listensOn: PostgresConfiguration?
    /// How long running jobs may go on after a shutdown began.
    public var grace: Duration = .seconds(30)
    /// When a run without a timeout is worth a warning.
    public var longRun: Duration = .seconds(3600)
    /// Ends the *process*, with exit code 75, when a handler has ignored its cancellation for this
    /// long: for processes that a supervisor starts anew. The other runs get `grace` first. nil
    /// only reports the handler, with its age, once a minute.
    public var exitWhenStuckFor: Duration?

    public init() {}

    /// - Throws: `TenureError` with `.invalidConfiguration`, naming the setting and its range.
    func validated() throws -> LeaseRule {
        guard !queues.isEmpty else {
            throw TenureError(.invalidConfiguration, "queues is empty; name at least one queue")
        }
        if let wrong = JobLimits.wrong(name: name, longest: JobLimits.longestKey) {
            throw TenureError(.invalidConfiguration, "name \(wrong)")
        }
        if let wrong = JobLimits.wrong(name: release, longest: JobLimits.longestKey) {
            throw TenureError(.invalidConfiguration, "release \(wrong)")
        }
        if let codec {
            try KeyNames(codec.keys).check()
            if let wrong = JobLimits.wrong(name: reader, longest: JobLimits.longestKey) {
                throw TenureError(
                    .invalidConfiguration,
                    "release, with the names of the codec's keys, \(wrong); give fewer keys")
            }
        }
        for (queue, slots) in queues {
            if let wrong = JobLimits.wrong(name: queue.rawValue, longest: JobLimits.longestName) {
                throw TenureError(.invalidConfiguration, "the name of a queue \(wrong)")
            }
            try Self.check(slots, "concurrency of queue \(queue)", 1...10_000)
        }
        try Self.check(pollInterval, "pollInterval", .milliseconds(10), .seconds(3600))
        try Self.check(
            listeningPollInterval, "listeningPollInterval", pollInterval, .seconds(3600))
        try Self.check(sweepInterval, "sweepInterval", .milliseconds(10), .seconds(3600))
        try Self.check(grace, "grace", .zero, .seconds(86_400))
        try Self.check(longRun, "longRun", .milliseconds(10), JobLimits.longestPause)
        if let exitWhenStuckFor {
            try Self.check(
                exitWhenStuckFor, "exitWhenStuckFor", .milliseconds(10), JobLimits.longestPause)
        }
        return try LeaseRule(length: lease)
    }

    /// What holds a job, and releases it: which release, and what its codec reads.
    var reader: String { codec.map { "\(release) (\($0.label))" } ?? release }

    private static func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw TenureError(
                .invalidConfiguration,
                "\(name) is \(value); give \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private static func check(
        _ value: Duration, _ name: String, _ least: Duration, _ most: Duration
    ) throws {
        guard value >= least, value <= most else {
            throw TenureError(
                .invalidConfiguration, "\(name) is \(value); give \(least) to \(most)")
        }
    }
}
