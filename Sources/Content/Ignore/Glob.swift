/// A pattern for a whole text: `*` stands for any text, the empty one too, and everything else for
/// itself.
///
/// No regular expression: what is between two stars is looked for from the left, once, and what was
/// found stays found. That takes at most as many steps as pattern and text have bytes, multiplied.
struct Glob: Sendable {
    private let parts: [[UInt8]]

    /// The same pattern for SQL's `LIKE`.
    static func like(_ pattern: String) -> String {
        var like = ""
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "*": like += "%"
            case "%", "_", "\\": like += "\\\(scalar)"
            default: like.unicodeScalars.append(scalar)
            }
        }
        return like
    }

    init(_ pattern: String) {
        parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    func matches(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard let first = parts.first, let last = parts.last, rest.starts(with: first) else {
            return false
        }
        if parts.count == 1 { return rest.count == first.count }
        rest = rest.dropFirst(first.count)
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else {
            return false
        }
        rest = rest.dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let end = Self.end(of: part, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// Behind the first place where a part stands.
    private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard text.count >= part.count else { return nil }
        for start in text.startIndex...(text.endIndex - part.count)
        where text[start] == part[0] && text[start...].starts(with: part) {
            return start + part.count
        }
        return nil
    }
}
