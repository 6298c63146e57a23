/// The URL of a `meta http-equiv=refresh` (HTML standard, "shared declarative refresh steps").
enum MetaRefresh {
    /// The range of the URL in `content`; nil when it has none or is not a refresh.
    static func urlRange(_ content: [UInt8]) -> Range<Int>? {
        var index = skipSpace(content, 0)
        let digits = index
        while index < content.count, content[index].isASCIIDigit { index += 1 }
        if index == digits, at(content, index) != UInt8(ascii: ".") { return nil }
        while let byte = at(content, index), byte.isASCIIDigit || byte == UInt8(ascii: ".") {
            index += 1
        }
        guard let separator = at(content, index) else { return nil }
        guard separator.isASCIIWhitespace || isSeparator(separator) else { return nil }
        index = skipSpace(content, index)
        if let byte = at(content, index), isSeparator(byte) { index += 1 }
        index = skipSpace(content, index)
        return index < content.count ? url(content, index) : nil
    }

    /// What is left, without `url=` and quotes if they are there and whole.
    private static func url(_ content: [UInt8], _ start: Int) -> Range<Int> {
        var index = start
        if content[start...].startsIgnoringCase("url") {
            let equals = skipSpace(content, start + 3)
            if at(content, equals) == UInt8(ascii: "=") {
                index = skipSpace(content, equals + 1)
            } else {
                return start..<content.count
            }
        }
        guard let quote = at(content, index), quote == UInt8(ascii: "'") || quote == 0x22 else {
            return index..<content.count
        }
        let close = content[(index + 1)...].firstIndex(of: quote) ?? content.count
        return index + 1..<close
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    private static func at(_ bytes: [UInt8], _ index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private static func skipSpace(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index].isASCIIWhitespace { index += 1 }
        return index
    }
}
