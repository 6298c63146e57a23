/// One `Allow` or `Disallow`: a pattern with `*` for any bytes and `$`, at its end, for the end
/// of the path.
struct RobotsRule: Sendable {
    let allows: Bool
    /// The bytes of the pattern, by which rules are weighed.
    private let length: Int
    /// What must come one after the other; the first at the start of the path.
    private let pieces: [[UInt8]]
    private let isAnchored: Bool
    /// For `Allow: /a/index.html`, one more rule `/a/$`, which it is meant to cover too.
    private let directory: [RobotsRule]

    init(_ value: ArraySlice<UInt8>, allows: Bool) {
        let pattern = RobotsRule.normalize(value, encodes: true)
        let directory = allows ? RobotsRule.directory(of: pattern) : nil
        self.init(
            pattern, allows: allows,
            directory: directory.map { [RobotsRule($0, allows: true, directory: [])] } ?? [])
    }

    private init(_ whole: [UInt8], allows: Bool, directory: [RobotsRule]) {
        self.allows = allows
        self.directory = directory
        var pattern = whole
        length = pattern.count
        isAnchored = pattern.last == UInt8(ascii: "$")
        if isAnchored { pattern.removeLast() }
        pieces = pattern.split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false
        ).map { Array($0) }
    }

    /// Percent-encoding in one form for rules and paths: upper-case hex, `-._~` not encoded, and
    /// in rules all that isn't ASCII. The RFC would have encoded letters and digits decoded too;
    /// the parser that sites are tested against takes them literally, and so does this.
    static func normalize(_ bytes: some Collection<UInt8>, encodes: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if encodes, byte >= 0x80 {
                result += [
                    UInt8(ascii: "%"), .upperHexDigit(byte >> 4), .upperHexDigit(byte & 15),
                ]
                continue
            }
            result.append(byte)
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy(\.isASCIIHexDigit)
            else { continue }
            rest = rest.dropFirst(2)
            let value = digits.reduce(UInt8(0)) { $0 << 4 | ($1.hexValue ?? 0) }
            if "-._~".utf8.contains(value) {
                result[result.count - 1] = value
            } else {
                result += [.upperHexDigit(value >> 4), .upperHexDigit(value & 15)]
            }
        }
        return result
    }

    private static func directory(of pattern: [UInt8]) -> [UInt8]? {
        guard let slash = pattern.lastIndex(of: UInt8(ascii: "/")),
            pattern[slash...].starts(with: "/index.htm".utf8)
        else { return nil }
        return pattern[...slash] + [UInt8(ascii: "$")]
    }

    /// How many bytes the pattern has that matches `path`; nil if it doesn't.
    func match(_ path: [UInt8]) -> Int? {
        if matches(path) { return length }
        return directory.first?.match(path)
    }

    /// Each piece is found at the first place behind the one before: if that doesn't lead to a
    /// match, no later place does. Only the last piece of an anchored pattern must be at the end.
    private func matches(_ path: [UInt8]) -> Bool {
        guard path.starts(with: pieces[0]) else { return false }
        var rest = path[pieces[0].count...]
        if pieces.count == 1 { return !isAnchored || rest.isEmpty }
        for piece in pieces[1..<(pieces.count - 1)] {
            guard let end = RobotsRule.end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        let last = pieces[pieces.count - 1]
        if isAnchored { return rest.count >= last.count && rest.suffix(last.count) == last[...] }
        return RobotsRule.end(of: last, in: rest) != nil
    }

    private static func end(of piece: [UInt8], in rest: ArraySlice<UInt8>) -> Int? {
        guard let first = piece.first else { return rest.startIndex }
        var start = rest.startIndex
        while start + piece.count <= rest.endIndex {
            guard let found = rest[start...].firstIndex(of: first) else { return nil }
            if rest[found...].starts(with: piece) { return found + piece.count }
            start = found + 1
        }
        return nil
    }
}
