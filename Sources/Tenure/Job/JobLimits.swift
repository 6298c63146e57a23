/// The bounds of what a job may carry beside its payload.
package enum JobLimits {
    package static let longestName = 128
    package static let longestKey = 1024
    package static let longestTrace = 4096
    /// How many tags a job may have, and how long each may be, in bytes.
    package static let mostTags = 10
    package static let longestTag = 64
    /// In bytes, as it is stored: a payload, a result, what a step keeps or a signal brings.
    package static let largestPayload = 1 << 20

    static func isTrace(_ text: String) -> Bool {
        (1...longestTrace).contains(text.utf8.count) && !text.utf8.contains(0)
    }

    package static func check(name: String, of field: String, longest: Int) throws {
        if let wrong = wrong(name: name, longest: longest) {
            throw TenureError(.invalidJob, "\(field) \(wrong)")
        }
    }

    /// What is wrong with a name, and the remedy; nil: nothing.
    package static func wrong(name: String, longest: Int) -> String? {
        if let wrong = wrongLength(of: name, longest) { return wrong }
        // Most are ASCII, and each job is looked at.
        if name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return nil }
        guard let mark = name.unicodeScalars.first(where: isControl) else { return nil }
        let digits = String(mark.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return "has the control character U+\(zeros)\(digits); remove it"
    }

    static func check(tags: [String]) throws {
        guard tags.count <= mostTags else {
            throw TenureError(.invalidJob, "tags are \(tags.count); give at most \(mostTags)")
        }
        for tag in tags { try check(name: tag, of: "tag", longest: longestTag) }
    }

    /// A text for people, which may have several lines.
    static func check(text: String, of field: String, longest: Int) throws {
        if let wrong = wrongLength(of: text, longest) {
            throw TenureError(.invalidJob, "\(field) \(wrong)")
        }
        guard !text.utf8.contains(0) else {
            throw TenureError(.invalidJob, "\(field) contains a NUL character; remove it")
        }
    }

    private static func wrongLength(of text: String, _ longest: Int) -> String? {
        let length = text.utf8.count
        return (1...longest).contains(length)
            ? nil : "has \(length) bytes; give 1 to \(longest)"
    }

    /// What keeps a name from being shown as it is, in one line: control characters, separators of
    /// lines and paragraphs, marks that turn the direction of writing. `tenure.is_plain` has the
    /// same list.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// How many rows are asked for at a time.
    package static func rows(_ limit: Int) throws -> Int64 {
        try check(limit, of: "limit", in: 1...100_000)
        return Int64(limit)
    }

    package static func check(_ value: Int, of field: String, in range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw TenureError(
                .invalidJob,
                "\(field) is \(value); give \(range.lowerBound) to \(range.upperBound)")
        }
    }
}
