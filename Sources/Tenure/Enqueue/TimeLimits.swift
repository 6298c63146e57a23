import FoundationEssentials
import TenurePostgres

/// The bounds of times and pauses: what every clock, calendar and sum can bear. What lies outside
/// would stand in a table, and fail in whatever comes to reckon with it.
extension JobLimits {
    /// A thousand years.
    private static let longestPause = Duration.seconds(365_000 * 86_400)
    /// The years 1 to 9999.
    private static let dates = Date.distantPast..<Date(timeIntervalSince1970: 253_402_214_400)
    /// The longest that a lane waits from one start to the next.
    package static let longestInterval = Duration.seconds(365 * 86_400)

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
        if let interval = mode?.interval { try check(interval, of: "interval") }
        if let longest = mode?.maxWait {
            try check(longest, of: "maxWait", in: .zero...longestPause)
        }
        if let lane = options.lane { try check(interval: lane.minInterval, of: "lane.minInterval") }
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
