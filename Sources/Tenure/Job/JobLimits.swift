/// The bounds of what a job may carry beside its payload.
package enum JobLimits {
    static let longestName = 128
    package static let longestKey = 1024
    package static let longestTrace = 4096

    static func isTrace(_ text: String) -> Bool {
        (1...longestTrace).contains(text.utf8.count) && !text.utf8.contains(0)
    }

    package static func check(name: String, of field: String, longest: Int) throws {
        let length = name.utf8.count
        guard length >= 1, length <= longest else {
            throw TenureError(
                .invalidJob, "\(field) has \(length) bytes; give 1 to \(longest)")
        }
        guard !name.utf8.contains(0) else {
            throw TenureError(.invalidJob, "\(field) contains a NUL character; remove it")
        }
    }

    static func check(_ value: Int, of field: String, in range: ClosedRange<Int>) throws {
        guard range.contains(value) else {
            throw TenureError(
                .invalidJob,
                "\(field) is \(value); give \(range.lowerBound) to \(range.upperBound)")
        }
    }
}
