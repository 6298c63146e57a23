import Tenure

/// What a cron expression says, as far as it can be told without a database: `tenure.read_cron`
/// reads it by the same rules, and finds the times.
struct CronExpression: Sendable, Equatable {
    let minutes: [Int]
    let hours: [Int]
    let days: [Int]
    let months: [Int]
    let weekdays: [Int]

    private static let names = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    ]
    private static let monthNames = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    /// - Throws: `TenureError` with `.invalidConfiguration`.
    init(_ expression: String) throws {
        let trimmed = expression.trimmingSpaces
        let fields = (Self.names[trimmed.lowercased()] ?? trimmed)
            .split(whereSeparator: \.isWhitespace).map(String.init)
        guard fields.count == 5 else {
            throw Self.wrong(
                "the cron expression \"\(expression)\" has \(fields.count) fields",
                "give five: minute, hour, day, month, weekday, such as 30 2 * * mon-fri; or "
                    + "@hourly, @daily, @weekly, @monthly, @yearly")
        }
        minutes = try CronField("minute", 0...59).values(of: fields[0])
        hours = try CronField("hour", 0...23).values(of: fields[1])
        days = try CronField("day", 1...31).values(of: fields[2])
        months = try CronField("month", 1...12, Self.monthNames).values(of: fields[3])
        weekdays = try CronField("weekday", 0...7, Self.weekdayNames).values(of: fields[4])
            .map { $0 % 7 }
        // A weekday that is named makes other days do as well.
        let comes = months.contains { Self.longestMonths[$0 - 1] >= (days.min() ?? 1) }
        guard comes || !fields[2].hasPrefix("*") && !fields[4].hasPrefix("*") else {
            throw Self.wrong(
                "the cron expression \"\(expression)\" names a day that never comes",
                "look at its day and month")
        }
    }

    /// Only its form, parts that begin with a letter: which zones there are, the database knows
    /// (docs/decisions/schedules.md).
    static func check(zone: String) throws {
        let longest = 255
        if let wrong = JobLimits.wrong(name: zone, longest: longest) {
            throw TenureError(.invalidConfiguration, "the time zone \(wrong)")
        }
        let name = #/[A-Za-z][A-Za-z0-9_+\-]*(?:\/[A-Za-z][A-Za-z0-9_+\-]*)*/#
        guard zone.wholeMatch(of: name) != nil else {
            throw wrong(
                "\"\(zone)\" is no time zone's name", "give one such as Europe/Berlin or UTC")
        }
    }

    fileprivate static func wrong(_ what: String, _ remedy: String) -> TenureError {
        TenureError(.invalidConfiguration, "\(what); \(remedy)")
    }
}

/// One field: numbers or names, ranges, steps, lists.
private struct CronField {
    let what: String
    let range: ClosedRange<Int>
    let names: [String]

    init(_ what: String, _ range: ClosedRange<Int>, _ names: [String] = []) {
        self.what = what
        self.range = range
        self.names = names
    }

    func values(of field: String) throws -> [Int] {
        try field.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .flatMap { part -> [Int] in
                guard let values = values(ofPart: part) else {
                    let (low, high) = (range.lowerBound, range.upperBound)
                    throw CronExpression.wrong(
                        "the cron \(what), \"\(field)\", is wrong",
                        "give \(low) to \(high), a range such as \(low + 1)-\(low + 3), a step "
                            + "such as */2, a list of these, or *")
                }
                return values
            }
    }

    private func values(ofPart part: Substring) -> [Int]? {
        let pattern = #/(\*|[0-9]{1,2}|[a-z]{3})(?:-([0-9]{1,2}|[a-z]{3}))?(?:/([0-9]{1,2}))?/#
        guard let found = part.wholeMatch(of: pattern) else { return nil }
        let (isAny, end, pace) = (found.1 == "*", found.2, found.3.flatMap { Int($0) })
        if isAny, end != nil { return nil }
        guard let first = isAny ? range.lowerBound : number(found.1) else { return nil }
        var last = isAny || end == nil && pace != nil ? range.upperBound : first
        if let end {
            guard let named = what == "weekday" && end == "sun" ? 7 : number(end) else {
                return nil
            }
            last = named
        }
        let step = pace ?? 1
        guard first >= range.lowerBound, last <= range.upperBound, first <= last, step > 0 else {
            return nil
        }
        return Array(stride(from: first, through: last, by: step))
    }

    private func number(_ text: Substring) -> Int? {
        if let number = Int(text) { return number }
        return names.firstIndex(of: String(text)).map { $0 + range.lowerBound }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
