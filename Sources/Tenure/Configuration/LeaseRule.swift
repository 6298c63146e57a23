/// The times of a lease, all counted on a continuous clock from *before* a beat was sent.
///
/// `t0 + length`: another session may reclaim, having watched the beat stand still that long.
/// `t0 + length − margin`: the attempts are cancelled.
/// `t0 + length − margin + stopDelay`: they are given up; nothing starts an effect after it.
/// Safe while `margin > stopDelay + clock-rate error × length + a timer's tick`, strictly.
public struct LeaseRule: Sendable, Equatable {
    public let length: Duration
    /// How often the session beats.
    public let beatInterval: Duration
    /// How long one beat may take before it is tried again.
    public let beatDeadline: Duration
    public let margin: Duration
    public let stopDelay: Duration

    /// Clocks may run apart by this share.
    static let clockRateError = 0.01
    static let tick: Duration = .milliseconds(20)

    /// What workers and coordinators have where nobody says otherwise.
    public static let defaultLength: Duration = .seconds(30)

    /// The default's proportions: 30 s · beat 5 s · deadline 3 s · margin 10 s · stop 5 s.
    /// - Throws: `TenureError` with `.invalidConfiguration` outside 1 s … 1 h.
    public init(length: Duration = defaultLength) throws {
        guard length >= .seconds(1), length <= .seconds(3600) else {
            throw TenureError(
                .invalidConfiguration, "lease is \(length); give 1 second to 1 hour")
        }
        self.length = length
        beatInterval = length / 6
        beatDeadline = length / 10
        margin = length / 3
        stopDelay = length / 6
        precondition(margin > stopDelay + length * Self.clockRateError + Self.tick)
    }

    /// When attempts are cancelled, for a beat sent at `sent`.
    public func cancelTime<I: InstantProtocol>(sent: I) -> I where I.Duration == Duration {
        sent.advanced(by: length - margin)
    }
}
