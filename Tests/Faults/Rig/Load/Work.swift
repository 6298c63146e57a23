import Tenure

/// What a job of the load does when it runs.
struct Plan: Codable, Sendable {
    enum Behaviour: String, Codable, Sendable, CaseIterable {
        case steady
        /// Fails its first `times` attempts.
        case flaky
        /// Snoozes in its first `times` runs.
        case snoozing
        /// Takes no notice of being asked to stop: works on, and tries to commit at the end.
        case deaf
        /// Stops working when it is asked to, and tries to commit all the same.
        case stubborn
        /// Kills its process.
        case crashing
        /// Throws its cancellation inside an error inside an error.
        case wrapping
        /// Throws a cancellation that nobody asked for, in its first `times` attempts.
        case unasked
        /// Works in child tasks of child tasks.
        case family
        /// Says that it is of no use.
        case discarding
        /// Enqueues another job in its commit.
        case following
        /// Completes without a commit of its own.
        case plain
        /// Works in ten steps, each with a row of its own.
        case stepping
    }

    var tag: String?
    /// How long each run takes, the last for all further ones.
    var milliseconds: [Int]
    var behaviour: Behaviour?
    var times: Int?
    /// Tells the sink before it commits.
    var hasEffect: Bool?
}

/// A job of the load. Its visible effect is a row, written in the commit.
protocol Planned: Job {
    init(plan: Plan)
    var plan: Plan { get }
}

struct Work: Planned {
    static let kind: JobKind = "work"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 20, .milliseconds(200)))
    let plan: Plan
}

struct Errand: Planned {
    static let kind: JobKind = "errand"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 6, .milliseconds(300)))
    let plan: Plan
}

/// Its first run takes longer than it may.
struct Timed: Planned {
    static let kind: JobKind = "timed"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 4, .milliseconds(200)), timeout: .milliseconds(700))
    let plan: Plan
}
