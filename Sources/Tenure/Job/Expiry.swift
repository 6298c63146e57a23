public import TenureFoundation

/// Until when a job may begin.
public struct Expiry: Sendable {
    package enum Moment: Sendable {
        case after(Duration)
        case at(Date)
    }
    package let moment: Moment
    /// The database's clock at the enqueue, plus so much. More than the job's delay, if both are
    /// durations, and than what its debouncing waits.
    public static func after(_ duration: Duration) -> Expiry { Expiry(moment: .after(duration)) }
    /// A point in time on the database's clock.
    public static func at(_ date: Date) -> Expiry { Expiry(moment: .at(date)) }
}
