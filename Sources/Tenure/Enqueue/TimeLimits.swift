import TenureFoundation
import TenurePostgres

/// The bounds of times and pauses: what every clock, calendar and sum can bear. What lies outside
/// would stand in a table, and fail in whatever comes to reckon with it.
extension JobLimits {
    /// A thousand years.
    package static let longestPause = Duration.seconds(365_000 * 86_400)
    /// The years 1 to 9999.
    private static let dates = Date.distantPast..<Date(timeIntervalSince1970: 253_402_214_400)
    /// The longest that a lane waits from one start to the next.
    package static let longestInterval = Duration.seconds(365 * 86_400)

    /// The nearest that every sum can bear.
    static func bounded(_ pause: Duration) -> Duration {
        min(max(pause, .zero - longestPause), longestPause)
    }

    static func check(times options: EnqueueOptions, _ mode: KeyMode?) throws {
        switch options.runTime.moment {
        case .now: break
        case .after(let delay): try check(delay, of: "runTime")
        case .at(let date): try check(date, of: "runTime")
        }
        switch options.notAfter?.moment {
        case .after(let span): try check(span, of: "notAfter")
        case .at(let date): try check(date, of: "notAfter")
        case nil: break
        }
        if let interval = mode?.interval {
            try check(interval, of: "interval", in: .zero...longestPause)
        }
        if let longest = mode?.maxWait {
            try check(longest, of: "maxWait", in: .zero...longestPause)
        }
        if let within = mode?.within {
            try check(within, of: "within", in: .microseconds(1)...longestPause)
        }
        if let lane = options.lane { try check(interval: lane.minInterval, of: "lane.minInterval") }
    }

    /// An expiry that leaves the job no time to begin. A duration and a date are of two clocks.
    static func check(_ notAfter: Expiry?, runTime: RunTime, mode: KeyMode?) throws {
        let isTooEarly: Bool
        let text: String
        switch (notAfter?.moment, runTime.moment) {
        case (.after(let span), .now):
            (isTooEarly, text) = (span <= pause(.zero, mode), "\(span) from now")
        case (.after(let span), .after(let delay)):
            (isTooEarly, text) = (span <= pause(delay, mode), "\(span) from now")
        case (.at(let last), .at(let first)): (isTooEarly, text) = (last <= first, "\(last)")
        default: return
        }
        if isTooEarly {
            throw TenureError(
                .invalidJob,
                "notAfter is \(text), which leaves the job no time to begin; give a time after "
                    + "its run time")
        }
    }

    /// How long it is until the job may begin.
    private static func pause(_ delay: Duration, _ mode: KeyMode?) -> Duration {
        let pause = max(delay, mode?.interval ?? .zero)
        return mode?.maxWait.map { min(pause, $0) } ?? pause
    }

    static func check(_ rate: Rate, of field: String) throws {
        guard rate.count > 0, rate.period > .zero, rate.interval <= longestInterval else {
            throw TenureError(
                .invalidJob,
                "\(field) is \(rate.count) per \(rate.period); give 1 or more, in a time of which "
                    + "each has 365 days at most")
        }
    }

    static func check(interval: Duration, of field: String) throws {
        try check(interval, of: field, in: .zero...longestInterval)
    }

    private static func check(_ pause: Duration, of field: String) throws {
        try check(pause, of: field, in: .zero - longestPause...longestPause)
    }

    private static func check(
        _ pause: Duration, of field: String, in range: ClosedRange<Duration>
    ) throws {
        guard range.contains(pause) else {
            throw TenureError(
                .invalidJob,
                "\(field) is \(pause); give \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private static func check(_ date: Date, of field: String) throws {
        guard dates.contains(date) else {
            throw TenureError(
                .invalidJob, "\(field) is no date of the years 1 to 9999; give one that is")
        }
    }
}
