package import TenureFoundation

/// Points in time, in UTC.
package enum TimeText {
    /// `2026-11-21T10:46:36.123Z`
    package static func exact(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
            + "Z"
    }

    /// - Returns: nil for what is no such time.
    package static func read(_ text: String) -> Date? {
        for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601] {
            // Reason for `try?`: the other form is tried next.
            if let date = try? Date(text, strategy: style) { return date }
        }
        return nil
    }

    /// `2026-11-21 10:46:36Z (12s ago)`
    package static func full(_ date: Date, now: Date = Date()) -> String {
        "\(plain(date)) (\(relative(date, now: now)))"
    }

    /// `2026-11-21 10:46:36Z`
    package static func plain(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space)
                .time(includingFractionalSeconds: false)) + "Z"
    }

    /// `2026-11-21 11:46:36+01:00`
    package static func plain(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone)
                .year().month().day().time(includingFractionalSeconds: false)
                .timeZone(separator: .colon))
    }

    /// `12s ago`, `in 3m`
    package static func relative(_ date: Date, now: Date = Date()) -> String {
        let seconds = date.timeIntervalSince(now)
        let text = DurationText.format(.seconds(abs(seconds)))
        return seconds > 0 ? "in \(text)" : "\(text) ago"
    }
}
