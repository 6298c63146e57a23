import Tenure

/// How a coordinator works. Validated when it is made.
public struct CoordinatorConfiguration: Sendable {
    /// Names it for people.
    public var name: String = "coordinator"
    public var release: String = "0"
    public var lease: Duration = LeaseRule.defaultLength
    /// How often schedules are looked at.
    public var tick: Duration = .seconds(1)
    /// How often retention and housekeeping run.
    public var housekeeping: Duration = .seconds(600)
    /// How long completed, cancelled and superseded jobs are kept, to the day.
    public var keepEnded: Duration = .seconds(86_400)
    /// How long discarded jobs are kept, to the day.
    public var keepDiscarded: Duration = .seconds(7 * 86_400)
    /// How long an untouched key without unfinished jobs is remembered.
    public var keepIdleSubjects: Duration = .seconds(86_400)
    /// How long the audit log tells who did what (`Inspector.actions`).
    public var keepActions: Duration = .seconds(90 * 86_400)
    /// How long the limits of a lane are remembered that nobody uses; a day longer than jobs are
    /// kept where those are kept longer, so that one that is repeated finds its lane as it was.
    public var keepIdleLanes: Duration = .seconds(8 * 86_400)
    /// How long a job of a lane may be due while more urgent ones of the lane go first. After that
    /// it is among those of which six a minute go to the lane's front, the longest due first.
    public var lanePatience: Duration = .seconds(600)

    /// Pauses kinds that kill the processes that run them; nil: nobody does.
    public var breaker: KindBreaker? = KindBreaker()

    public init() {}

    func validated() throws -> LeaseRule {
        if let wrong = JobLimits.wrong(name: name, longest: JobLimits.longestKey) {
            throw TenureError(.invalidConfiguration, "name \(wrong)")
        }
        if let wrong = JobLimits.wrong(name: release, longest: JobLimits.longestKey) {
            throw TenureError(.invalidConfiguration, "release \(wrong)")
        }
        try Self.check(tick, "tick", .milliseconds(10), .seconds(3600))
        try Self.check(housekeeping, "housekeeping", .seconds(1), .seconds(86_400))
        for (value, name) in [
            (keepEnded, "keepEnded"), (keepDiscarded, "keepDiscarded"),
            (keepIdleSubjects, "keepIdleSubjects"), (keepIdleLanes, "keepIdleLanes"),
            (keepActions, "keepActions"),
        ] {
            try Self.check(value, name, .seconds(3600), .seconds(3650 * 86_400))
        }
        try Self.check(lanePatience, "lanePatience", .seconds(1), .seconds(3650 * 86_400))
        try breaker?.validate()
        return try LeaseRule(length: lease)
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
