package import FoundationEssentials

/// Points in time, in UTC.
package enum TimeText {
    /// `2026-11-21T10:46:36.123Z`
    package static func exact(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
            + "Z"
    }

    /// `2026-11-21 10:46:36Z (12s ago)`
    static func full(_ date: Date, now: Date = Date()) -> String {
        let text = date.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space)
                .time(includingFractionalSeconds: false))
        return "\(text)Z (\(relative(date, now: now)))"
    }

    /// `12s ago`, `in 3m`
    static func relative(_ date: Date, now: Date = Date()) -> String {
        let seconds = date.timeIntervalSince(now)
        let text = DurationText.format(.seconds(abs(seconds)))
        return seconds > 0 ? "in \(text)" : "\(text) ago"
    }
}
