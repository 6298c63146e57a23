import Tenure

/// Where a check stands.
public struct CheckProgress: Sendable, Hashable {
    /// Documents that were read.
    public let pages: Int
    /// What they refer to, with repetitions.
    public let references: Int
    /// URLs that belong to the check so far, and how they are.
    public let targets: [TargetState: Int]
    /// Looks that failed and are tried again.
    public let retries: Int
    /// Foreign targets that were left out because nobody was named who answers for the requests.
    public let skippedForContact: Int
    /// Pages that the site never let through: it wants pauses, or doubts that a person asks; or
    /// where the check starts, if that was refused. What they refer to is not known.
    public let unreadPages: Int
    /// URLs that the check's rules leave out.
    public let excluded: Int
    /// URLs that are well because the rules accept what they answer.
    public let accepted: Int
    /// Pages whose URLs repeat themselves (`/a/a/a/a/`): what they link to was not followed.
    public let endless: Int
    /// URLs that were left out because the check has as many pages as it may.
    public let beyondLimit: Int
    /// Links to mail of whose domains nobody could say, in time, whether they take any.
    public let unaskedMail: Int
    public internal(set) var unfinishedJobs = 0
    public internal(set) var runningJobs = 0
    public internal(set) var heldJobs = 0

    mutating func take(_ jobs: BatchProgress) {
        unfinishedJobs = jobs.unfinished
        runningJobs = jobs.running
        heldJobs = jobs.held
    }

    public var visited: Int { targets.values.reduce(0, +) - targets[.unchecked, default: 0] }
    public var total: Int { targets.values.reduce(0, +) }
}
