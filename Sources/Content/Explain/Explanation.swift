public import Tenure
public import TenureFoundation

/// All that is known of a URL, and what happens to it next.
public struct Explanation: Sendable {
    public let url: String
    /// What is kept of it.
    public let item: Item?
    public let target: TargetStory?
    /// Changes of its state, the latest first.
    public let events: [TargetEvent]
    /// Those about it, unfinished ones first, then the latest that ended.
    public let jobs: [ExplainedJob]
    public let host: HostStatus?
    /// Until when the host itself asked to be left alone.
    public let hostHoldUntil: Date?
    public let robots: RobotsAnswer

    public var isKnown: Bool { item != nil || target != nil || !jobs.isEmpty }
}

/// What the host's robots.txt says of the URL, as it was last fetched.
public enum RobotsAnswer: String, Sendable, Codable {
    case allowed, disallowed
    /// Nobody has asked yet, or what was fetched is too old.
    case unknown
    /// The operator's own host isn't asked.
    case notAsked
}

public struct ExplainedJob: Sendable {
    public let job: JobDetail
    /// What keeps it from running.
    public let delays: [JobDelay]
}
