// docs/decisions/clock-steps.md

/// Notices that the database's clock was set back, by one's own continuous clock. A pure state
/// machine: the caller brings the times.
///
/// No rule of leases reads the database's clock, but pauses and due times are written in it: when
/// it goes back by an hour, what was due is not for an hour. Whoever finds that out has those times
/// go back too (`FollowClock`). A clock set forward ends pauses early, which nobody can undo.
package struct ClockWatch<Instant: InstantProtocol>: Sendable
where Instant.Duration == Duration, Instant: Sendable {
    /// One reading: the clock was read between the two instants.
    package struct Reading: Sendable {
        package let sent: Instant
        package let arrived: Instant
        package let microseconds: Int64
        package let steps: Int64

        package init(sent: Instant, arrived: Instant, microseconds: Int64, steps: Int64) {
            self.sent = sent
            self.arrived = arrived
            self.microseconds = microseconds
            self.steps = steps
        }
    }

    package struct Step: Sendable, Equatable {
        /// How far the clock went back, or a little less: by the time between a reading's request
        /// and its reply.
        package let back: Duration
        /// How many steps had been followed when it was found.
        package let seenSteps: Int64
        /// Somebody has followed it already.
        package let isFollowed: Bool
    }

    /// Smaller steps are left to themselves; so much do clocks and readings differ.
    static var smallest: Duration { .seconds(1) }
    static var rateError: Double { 0.01 }

    private var baseline: Reading?

    package init() {}

    /// Takes in a reading. Returns the step that it shows; the same one again until that was
    /// followed.
    package mutating func see(_ reading: Reading) -> Step? {
        guard let earlier = baseline else {
            baseline = reading
            return nil
        }
        let gone = max(.zero, earlier.arrived.duration(to: reading.sent))
        let counted = Duration.microseconds(reading.microseconds - earlier.microseconds)
        let back = gone - counted
        let isStep = back > Self.smallest + gone * Self.rateError
        let isFollowed = earlier.steps != reading.steps
        if isFollowed || !isStep { baseline = reading }
        return isStep
            ? Step(back: back, seenSteps: reading.steps, isFollowed: isFollowed) : nil
    }

    /// The step was followed, by us or by another: readings are compared anew.
    package mutating func followed() { baseline = nil }
}
