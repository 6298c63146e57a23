/// Where a line stands: the evidence of a violation.
package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let file: String
    /// From 1.
    package let line: Int

    package init(_ file: String, _ line: Int) {
        self.file = file
        self.line = line
    }

    package var description: String { "\(file):\(line)" }

    package static func < (left: Place, right: Place) -> Bool {
        (left.file, left.line) < (right.file, right.line)
    }
}

/// A recording that can't be judged: which file, which line, and what is wrong with it.
package struct UnusableRecording: Error, CustomStringConvertible {
    package let file: String
    package let line: Int?
    package let what: String

    package init(_ file: String, line: Int? = nil, _ what: String) {
        self.file = file
        self.line = line
        self.what = what
    }

    package var description: String {
        line.map { "\(file):\($0): \(what)" } ?? "\(file): \(what)"
    }
}
