/// A date as HTTP writes it (RFC 9110, section 5.6.7), to the second.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since the start of 1970, UTC.
    public let secondsSince1970: Int64

    /// What lies further away than 30,000 years counts as that far away: the difference of any two
    /// is a number, and a `Duration`.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(max(secondsSince1970, -HTTPDate.furthest), HTTPDate.furthest)
    }

    private static let furthest: Int64 = 1_000_000_000_000

    /// The start of a day, UTC; nil if the calendar has no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1,
            day <= HTTPDate.daysInMonth(month - 1, of: year)
        else { return nil }
        secondsSince1970 = Int64(HTTPDate.daysSince1970(year, month, day)) * 86_400
    }

    /// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37
    /// GMT` and `Sun Nov  6 08:49:37 1994`. The name of the day is not checked.
    public init?(_ text: String) {
        guard let parts = Parts(text.split(separator: " ").map(String.init)),
            let day = HTTPDate.number(parts.day, 1...31),
            let month = HTTPDate.months.firstIndex(of: parts.month.lowercased()),
            let year = HTTPDate.year(parts.year),
            let seconds = HTTPDate.secondsOfDay(parts.time),
            day <= HTTPDate.daysInMonth(month, of: year)
        else { return nil }
        let days = HTTPDate.daysSince1970(year, month + 1, day)
        // Bounded: a year has four digits, a day 86,400 seconds.
        secondsSince1970 = Int64(days) * 86_400 + Int64(seconds)
    }

    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// The first form, the only one that may be sent.
    public var description: String {
        let days = Int(secondsSince1970.floorDivided(by: 86_400))
        let seconds = Int(secondsSince1970) - days * 86_400
        let (year, month, day) = HTTPDate.civil(days)
        let weekday = HTTPDate.weekdays[((days + 4) % 7 + 7) % 7]
        let name = HTTPDate.months[month - 1].capitalizedASCII
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }
        return "\(weekday), \(day.padded(2)) \(name) \(year.padded(4)) "
            + "\(time.joined(separator: ":")) GMT"
    }

    private struct Parts {
        var day: String
        var month: String
        var year: String
        var time: String

        init?(_ words: [String]) {
            let zone = words.last?.uppercased()
            if words.count == 5, !words[0].hasSuffix(",") {
                (day, month, year, time) = (words[2], words[1], words[4], words[3])
                return
            }
            guard zone == "GMT" || zone == "UTC" else { return nil }
            if words.count == 6 {
                (day, month, year, time) = (words[1], words[2], words[3], words[4])
                return
            }
            guard words.count == 4 else { return nil }
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3 else { return nil }
            (day, month, year) = (String(date[0]), String(date[1]), String(date[2]))
            time = words[2]
        }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy(\.isASCIIDigit), text.utf8.count <= 4, let value = Int(text),
            range.contains(value)
        else { return nil }
        return value
    }

    /// A year of two digits is between 1970 and 2069.
    private static func year(_ text: String) -> Int? {
        guard let value = number(text, 0...9999) else { return nil }
        if text.utf8.count > 2 { return value }
        return value < 70 ? 2000 + value : 1900 + value
    }

    private static func secondsOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let hour = number(parts[0], 0...23),
            let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    /// Days in the Gregorian calendar, counted in years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let day = shifted - era * 146_097
        let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}

extension BinaryInteger {
    fileprivate func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Int {
    fileprivate func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}

extension String {
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
