/// The path: "path start state", "path state" and "opaque path state".
extension URLParser {
    mutating func pathStart(_ rest: ArraySlice<UInt8>) {
        if isSlash(rest.first) {
            appendPath(rest.dropFirst())
        } else if record.special != nil || !rest.isEmpty {
            appendPath(rest)
        }
    }

    /// "path state": appends the segments of `rest`, which has lost the slash before it.
    mutating func appendPath(_ rest: ArraySlice<UInt8>) {
        var start = rest.startIndex
        while true {
            let end = rest[start...].firstIndex { isSlash($0) } ?? rest.endIndex
            appendSegment(rest[start..<end], isLast: end == rest.endIndex)
            if end == rest.endIndex { return }
            start = end + 1
        }
    }

    private mutating func appendSegment(_ segment: ArraySlice<UInt8>, isLast: Bool) {
        switch dots(segment) {
        case 2:
            record.shortenPath()
            if isLast { record.path.append(UInt8(ascii: "/")) }
        case 1:
            if isLast { record.path.append(UInt8(ascii: "/")) }
        default:
            let isFirst = record.path.isEmpty
            record.path.append(UInt8(ascii: "/"))
            if record.special == .file, isFirst, isDriveLetter(segment) {
                record.path += [segment.first!, UInt8(ascii: ":")]
            } else {
                record.path.appendPercentEncoded(segment, .path)
            }
        }
    }

    /// How many dots a segment consists of, `%2e` being one; 0 if of anything else.
    private func dots(_ segment: ArraySlice<UInt8>) -> Int {
        guard (1...6).contains(segment.count) else { return 0 }
        var rest = segment
        var count = 0
        while let first = rest.first {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.startsIgnoringCase("%2e") {
                rest = rest.dropFirst(3)
            } else {
                return 0
            }
            count += 1
        }
        return count <= 2 ? count : 0
    }

    mutating func opaquePath(_ rest: ArraySlice<UInt8>) {
        record.hasOpaquePath = true
        record.path = encoded(rest, .c0Control)
        // A space that ends the path would be lost when the URL is read again.
        if record.path.last == 0x20, query != nil || fragment != nil {
            record.path.removeLast()
            record.path += "%20".utf8
        }
    }
}
