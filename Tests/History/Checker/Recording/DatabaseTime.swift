import Foundation

/// A `timestamptz` as `to_jsonb` writes it: `2026-01-31T12:00:00.123456+00:00`.
enum DatabaseTime {
    /// Seconds since 1970, nil for an infinite one.
    static func seconds(_ slice: JSONSlice) throws(JSONError) -> Double? {
        if slice.equals("infinity") || slice.equals("-infinity") { return nil }
        guard let seconds = parse(slice) else {
            throw JSONError("`\(slice.string)` is not a time")
        }
        return seconds
    }

    private static func parse(_ slice: JSONSlice) -> Double? {
        guard slice.count >= 22, slice.start[10] == 0x54 else { return nil }
        guard let year = digits(slice, 0, 4), let month = digits(slice, 5, 2),
            let day = digits(slice, 8, 2), let hour = digits(slice, 11, 2),
            let minute = digits(slice, 14, 2), let second = digits(slice, 17, 2)
        else { return nil }
        var at = 19
        var fraction = 0.0
        if slice.start[at] == ASCII.point {
            let from = at + 1
            at = from
            while at < slice.count, slice.start[at] >= ASCII.zero, slice.start[at] <= ASCII.nine {
                at += 1
            }
            guard let number = digits(slice, from, at - from) else { return nil }
            fraction = Double(number) / pow(10, Double(at - from))
        }
        guard let offset = zone(slice, at) else { return nil }
        let days = days(year, month, day)
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
    }

    private static func digits(_ slice: JSONSlice, _ from: Int, _ count: Int) -> Int? {
        guard count > 0, from + count <= slice.count else { return nil }
        var number = 0
        for index in from..<from + count {
            let byte = slice.start[index]
            guard byte >= ASCII.zero, byte <= ASCII.nine else { return nil }
            number = number * 10 + Int(byte - ASCII.zero)
        }
        return number
    }

    private static func zone(_ slice: JSONSlice, _ at: Int) -> Int? {
        guard at < slice.count, let hours = digits(slice, at + 1, 2) else { return nil }
        let minutes = digits(slice, at + 4, 2) ?? 0
        let offset = hours * 3_600 + minutes * 60
        switch slice.start[at] {
        case ASCII.plus: return offset
        case ASCII.minus: return -offset
        default: return nil
        }
    }

    /// Days since 1970 by the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
