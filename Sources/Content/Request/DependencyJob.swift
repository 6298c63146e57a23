import Tenure

extension JobKind {
    /// Of all jobs that find out whether targets are there: see ``DependencyCheck``.
    static let dependencyCheck: JobKind = "dependency-check"
}

/// Which of the jobs a payload of that kind is for.
enum DependencyScope: String, Sendable, Codable {
    /// One URL: HEAD, then GET where a server refuses that.
    case target
    /// The same for one that is suspect; for any other there is nothing to do.
    case confirm
    /// The root of a check: starts its first visits.
    case begin
    /// Some pages of a check, and what they refer to.
    case pages
    /// One foreign target of a check.
    case foreign
    /// What links say is inside of one target of a check.
    case places
    /// Nothing of a check is left to do.
    case ended
    /// What follows from changes of items.
    case changed
    /// A site that is watched is due.
    case site
}

/// One of them, with what it needs.
protocol DependencyJob: Job {
    var scope: DependencyScope { get }
}

extension DependencyJob {
    static var kind: JobKind { .dependencyCheck }
    static var options: JobOptions<Self> {
        JobOptions(
            retry: .exponential(maxAttempts: 25, first: .seconds(2)), timeout: .seconds(600))
    }
}
