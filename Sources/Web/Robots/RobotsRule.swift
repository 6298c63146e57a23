/// One `Allow` or `Disallow`: a pattern with `*` for any bytes and `$`, at its end, for the end
/// of the path.
struct RobotsRule: Sendable {
    let allows: Bool
    /// The bytes of the pattern, by which rules are weighed.
    let length: Int
    /// What the path must begin with.
    private let head: [UInt8]
    /// What must follow, one after the other, each behind a `*`.
    private let pieces: [RobotsPiece]
    /// The bytes that a path has at least.
    private let least: Int
    /// Whether the path ends with the last of these.
    private let isAnchored: Bool

    /// The rules that a line stands for: `Allow: /a/index.html` is meant to cover `/a/`, too.
    static func rules(_ value: ArraySlice<UInt8>, allows: Bool) -> [RobotsRule] {
        let pattern = normalize(value, encodes: true)
        let directory = allows ? directory(of: pattern) : nil
        return ([pattern] + [directory].compactMap { $0 }).map { RobotsRule($0, allows: allows) }
    }

    private init(_ whole: [UInt8], allows: Bool) {
        self.allows = allows
        length = whole.count
        let hasEnd = whole.last == UInt8(ascii: "$")
        let pattern = hasEnd ? whole.dropLast() : whole[...]
        head = Array(pattern.prefix { $0 != UInt8(ascii: "*") })
        pieces = pattern[head.count...].split(separator: UInt8(ascii: "*"))
            .map { RobotsPiece(Array($0)) }
        least = pieces.reduce(head.count) { $0 + $1.bytes.count }
        isAnchored = hasEnd && (head.count == pattern.count || pattern.last != UInt8(ascii: "*"))
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

    /// Each piece is found at the first place behind the one before: if that doesn't lead to a
    /// match, no later place does. Only the last piece of an anchored pattern must be at the end.
    /// - Parameter steps: grows by the bytes that were looked at.
    func matches(_ path: UnsafeBufferPointer<UInt8>, _ steps: inout Int) -> Bool {
        steps += 1
        guard path.count >= least, RobotsPiece.isEqual(head, path, at: 0, &steps) else {
            return false
        }
        var place = head.count
        guard let last = pieces.last else { return !isAnchored || place == path.count }
        for piece in isAnchored ? pieces.dropLast() : pieces[...] {
            guard let end = piece.end(in: path, from: place, &steps) else { return false }
            place = end
        }
        guard isAnchored else { return true }
        let start = path.count - last.bytes.count
        return start >= place && RobotsPiece.isEqual(last.bytes, path, at: start, &steps)
    }
}
