import ArgumentParser

/// How many rows a list shows.
enum ListLimit {
    /// Where nothing is said.
    static let usual = 50

    static func check(_ limit: Int, in range: ClosedRange<Int>) throws {
        guard range.contains(limit) else {
            throw ValidationError(
                "--limit is \(limit); give \(range.lowerBound) to \(range.upperBound)")
        }
    }
}
