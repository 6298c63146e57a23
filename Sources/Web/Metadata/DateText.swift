/// Dates as pages and feeds write them: RFC 3339 and what ISO 8601 adds to it, RFC 822 with its
/// zones, HTTP's. Without a zone, UTC; without a time, midnight.
public enum DateText {
    public static func parse(_ text: String) -> HTTPDate? {
        let bytes = Array(text.utf8.prefix(128)).trimmingASCIIWhitespace()
        let trimmed = String(decoding: bytes, as: UTF8.self)
        return iso(Array(bytes)) ?? HTTPDate(trimmed) ?? rfc822(trimmed)
    }

    // MARK: ISO 8601

    /// `2024-05-06T07:08:09.5+02:00`, each part of which may be missing from the end.
    private static func iso(_ bytes: [UInt8]) -> HTTPDate? {
        var reader = DigitReader(bytes: bytes)
        guard let year = reader.number(4) else { return nil }
        var month = 1
        var day = 1
        let isBasic = !reader.take("-")
        guard let found = reader.number(2) else {
            return isBasic && reader.isAtEnd ? civil(year, 1, 1, 0) : nil
        }
        month = found
        if isBasic || reader.take("-") {
            guard let found = reader.number(2) else { return nil }
            day = found
        }
        if reader.isAtEnd { return civil(year, month, day, 0) }
        guard reader.take("T") || reader.take("t") || reader.take(" ") else { return nil }
        guard let seconds = reader.time(), let offset = reader.zone() else { return nil }
        return reader.isAtEnd ? civil(year, month, day, seconds - offset) : nil
    }

    private static func civil(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int) -> HTTPDate? {
        HTTPDate(year: year, month: month, day: day)
            // Bounded: dates are, and a day has 86,400 seconds.
            .map { HTTPDate(secondsSince1970: $0.secondsSince1970 + Int64(seconds)) }
    }

    // MARK: RFC 822

    /// `[Mon,] 6 May 24 07:08[:09] [zone]`, also with the month's whole name or before the day.
    private static func rfc822(_ text: String) -> HTTPDate? {
        var words = text.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
        if let first = words.first, first.utf8.allSatisfy(\.isASCIIAlpha), words.count > 3,
            monthNumber(first) == nil || words[1].utf8.first?.isASCIIDigit != true
        {
            words.removeFirst()
        }
        guard words.count >= 3 else { return nil }
        if monthNumber(words[0]) != nil { words.swapAt(0, 1) }
        guard let day = Int(words[0].prefix { $0.isNumber }), let month = monthNumber(words[1]),
            var year = Int(words[2]), (0...9999).contains(year)
        else { return nil }
        if words[2].utf8.count <= 2 { year += year < 70 ? 2000 : 1900 }
        guard words.count > 3 else { return civil(year, month, day, 0) }
        var reader = DigitReader(bytes: Array(words[3].utf8))
        guard let seconds = reader.time(), reader.isAtEnd else { return nil }
        let offset = words.count > 4 ? zoneOffset(words[4]) : 0
        return civil(year, month, day, seconds - offset)
    }

    private static func monthNumber(_ word: String) -> Int? {
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        let start = word.prefix(3).lowercased()
        guard word.utf8.allSatisfy({ $0.isASCIIAlpha || $0 == 0x2E }) else { return nil }
        return names.firstIndex(of: start).map { $0 + 1 }
    }

    /// `+0200`, or one of the names that RFC 822 has; any other name counts as UTC (RFC 2822).
    private static func zoneOffset(_ word: String) -> Int {
        var reader = DigitReader(bytes: Array(word.utf8))
        if let offset = reader.zone(), reader.isAtEnd { return offset }
        let hours = ["EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8]
        return (word.uppercased() == "PDT" ? -7 : hours[word.uppercased()] ?? 0) * 3600
    }
}

/// Reads numbers of a fixed width.
private struct DigitReader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Character) -> Bool {
        guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
        index += 1
        return true
    }

    mutating func number(_ width: Int) -> Int? {
        guard index + width <= bytes.count,
            bytes[index..<index + width].allSatisfy(\.isASCIIDigit)
        else { return nil }
        defer { index += width }
        return bytes[index..<index + width].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `07:08:09.5` or `0708` as seconds of the day.
    mutating func time() -> Int? {
        guard let hour = number(2) else { return nil }
        let hasColon = take(":")
        guard let minute = number(2) else { return hasColon ? nil : check(hour, 0, 0) }
        var second = 0
        if take(":") || !hasColon && index < bytes.count && bytes[index].isASCIIDigit {
            guard let found = number(2) else { return nil }
            second = found
        }
        if take(".") || take(",") {
            while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        }
        return check(hour, minute, second)
    }

    private func check(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
        guard hour <= 24, minute < 60, second <= 60 else { return nil }
        let seconds = hour * 3600 + minute * 60 + second
        return seconds <= 86_400 ? seconds : nil
    }

    /// `Z`, `+02:00`, `+0200`, `+02` or nothing, in seconds; nil for anything else.
    mutating func zone() -> Int? {
        _ = take(" ")
        if isAtEnd || take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+"), let hours = number(2) else { return nil }
        _ = take(":")
        let minutes = number(2) ?? 0
        guard hours < 24, minutes < 60 else { return nil }
        return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
