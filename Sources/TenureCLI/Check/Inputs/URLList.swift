import Content

/// A list of what is to be checked: one on each line, `#` before a comment.
enum URLList {
    struct Line: Sendable, Equatable {
        /// From 1.
        let number: Int
        let text: String
    }

    /// The lines that name something.
    /// - Throws: `Failure`, with the line's number, for one that is no text; for a list that is
    ///   empty, or too long.
    static func lines(_ bytes: [UInt8], of name: String) throws -> [Line] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        var lines: [Line] = []
        var number = 0
        for raw in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = raw.trimmingBlanks().withoutComment().trimmingBlanks()
            if line.isEmpty { continue }
            guard let text = String(validating: line, as: UTF8.self),
                !line.contains(where: { $0 < 0x20 || $0 == 0x7F })
            else {
                throw Failure(
                    "\(name):\(number): no text in UTF-8 on one line; give a URL or a path; "
                        + "nothing was checked")
            }
            guard lines.count < CheckInputs.mostPages else {
                throw Failure(
                    "\(name):\(number): more than \(CheckInputs.mostPages) pages; check them in "
                        + "parts; nothing was checked")
            }
            lines.append(Line(number: number, text: text))
        }
        guard !lines.isEmpty else {
            throw Failure("\(name) names nothing to check; give a URL or a path on each line")
        }
        return lines
    }
}

extension ArraySlice<UInt8> {
    /// Up to a `#` at its start or, of a URL, behind a blank: within one it begins a fragment, and
    /// names of files have it anywhere.
    fileprivate func withoutComment() -> ArraySlice<UInt8> {
        let isURL = String(decoding: self, as: UTF8.self).contains("://")
        let end = indices.first { index in
            let isAfterBlank =
                index > startIndex && (self[index - 1] == 0x20 || self[index - 1] == 0x09)
            let isThere = index == startIndex || isURL && isAfterBlank
            return self[index] == UInt8(ascii: "#") && isThere
        }
        return end.map { self[startIndex..<$0] } ?? self
    }

    /// Without spaces, tabs and carriage returns at both ends.
    fileprivate func trimmingBlanks() -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var rest = self.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
