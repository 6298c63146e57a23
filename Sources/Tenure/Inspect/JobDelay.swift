public import TenureFoundation

/// A rule that keeps an unfinished job from running just now.
public struct JobDelay: Sendable {
    public enum Rule: String, Sendable, Codable {
        /// It runs: nothing keeps it.
        case running
        /// No release could read it yet.
        case held
        /// It waits for another job.
        case waiting
        case queuePaused, queueFull
        /// Its queue starts no job just now, by its rate.
        case queueRate
        /// Its kind is paused, by an operator or the breaker.
        case kindPaused
        /// It had not begun by its `notAfter`: it is about to be discarded.
        case expired
        /// No live worker subscribes to its queue.
        case noWorker
        /// No live worker of its queue runs its kind.
        case kindUnknown
        /// Its run time lies ahead.
        case runTime
        /// It failed, and is tried again after a pause.
        case backoff
        case laneOnHold, laneInterval, laneFull
        /// Its lane is in strict order, and another job that has begun is not over.
        case laneOrder
        /// It is due, and starts with the next free slot.
        case turn
    }
    public let rule: Rule
    /// When the rule lets go, where a time says so.
    public let until: Date?
    /// For people, one line.
    public let detail: String
    /// Who is in the way, the first few: the jobs that it waits for, or that fill its lane.
    public let jobs: [JobInTheWay]

    /// - Parameter isMore: others than these are in the way, too.
    init(
        rule: Rule, until: Date?, detail: String, jobs: [JobInTheWay] = [], isMore: Bool = false
    ) {
        (self.rule, self.until, self.jobs) = (rule, until, jobs)
        let names = jobs.map(\.text) + (isMore ? ["…"] : [])
        self.detail = jobs.isEmpty ? detail : detail + ": " + names.joined(separator: ", ")
    }

    /// Nobody's time decides it, but somebody has to do something.
    var isOpenEnded: Bool {
        switch rule {
        case .held, .waiting, .queuePaused, .kindPaused, .expired, .noWorker, .kindUnknown: true
        default: false
        }
    }
}

extension JobDelay: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "rule": rule, "detail": detail, "until": until, "jobs": jobs,
        ])
    }
}

extension [JobDelay] {
    /// When the job is tried next, as far as times decide it; nil where somebody has to do
    /// something first, or another job has to end.
    public var nextTry: Date? {
        if isEmpty || contains(where: \.isOpenEnded) { return nil }
        return compactMap(\.until).max()
    }
}
