public import FoundationEssentials
public import Tenure

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

/// How a URL was when somebody last looked.
public struct TargetStory: Sendable {
    public let state: TargetState
    public let code: String?
    public let status: Int?
    public let failures: Int
    public let checkedAt: Date?
    public let firstBrokenAt: Date?
    public let lastOkAt: Date?
    /// Where it redirects to.
    public let next: String?
}

public struct TargetEvent: Sendable {
    public let at: Date
    public let before: String
    public let after: String
    public let code: String?
}
