/// Looks for a `meta` that names an encoding, before anything is decoded (HTML standard,
/// section 13.2.3.2, "prescan a byte stream to determine its encoding").
struct CharsetPrescan {
    /// Bytes that are looked at.
    static let window = 1024

    private let bytes: ArraySlice<UInt8>
    private var index = 0

    static func scan(_ bytes: [UInt8]) -> Charset? {
        var prescan = CharsetPrescan(bytes: bytes.prefix(window))
        return prescan.scan()
    }

    private init(bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    private mutating func scan() -> Charset? {
        if let charset = xmlUTF16() { return charset }
        while index < bytes.count {
            let rest = bytes[index...]
            if rest.starts(with: "<!--".utf8) {
                skipComment()
            } else if rest.startsIgnoringCase("<meta"), isTagNameEnd(at: index + 5) {
                index += 5
                if let charset = meta() { return charset }
            } else if isTag(rest) {
                skipTag()
            } else if rest.first == UInt8(ascii: "<"), let mark = rest.dropFirst().first,
                "!/?".utf8.contains(mark)
            {
                skip { $0 != UInt8(ascii: ">") }
                index += 1
            } else {
                index += 1
            }
        }
        return nil
    }

    /// `<?x` in UTF-16 without a byte order mark.
    private func xmlUTF16() -> Charset? {
        if bytes.starts(with: [0x3C, 0, 0x3F, 0, 0x78, 0]) { return .utf16LE }
        if bytes.starts(with: [0, 0x3C, 0, 0x3F, 0, 0x78]) { return .utf16BE }
        return nil
    }

    private func isTagNameEnd(at index: Int) -> Bool {
        index < bytes.count && (bytes[index].isASCIIWhitespace || bytes[index] == 0x2F)
    }

    private func isTag(_ rest: ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: "<") else { return false }
        let name = rest.dropFirst()
        let letter = name.first == UInt8(ascii: "/") ? name.dropFirst().first : name.first
        return letter?.isASCIIAlpha ?? false
    }

    /// The comment's end may share its dashes with the start.
    private mutating func skipComment() {
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "-->".utf8) { index += 1 }
        index += 3
    }

    private mutating func skipTag() {
        skip { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ">") }
        while attribute() != nil {}
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while index < bytes.count, condition(bytes[index]) { index += 1 }
    }

    private mutating func meta() -> Charset? {
        var names: Set<[UInt8]> = []
        var (isPragma, needsPragma) = (false, false)
        var charset: Charset?
        var hasCharset = false
        while let (name, value) = attribute() {
            guard names.insert(name).inserted else { continue }
            if name.elementsEqual("http-equiv".utf8) {
                if value.elementsEqual("content-type".utf8) { isPragma = true }
            } else if name.elementsEqual("content".utf8), !hasCharset {
                guard let found = CharsetPrescan.charset(inContent: value) else { continue }
                (charset, hasCharset, needsPragma) = (found, true, true)
            } else if name.elementsEqual("charset".utf8) {
                charset = Charset(label: String(decoding: value, as: UTF8.self))
                (hasCharset, needsPragma) = (true, false)
            }
        }
        guard hasCharset, isPragma || !needsPragma else { return nil }
        return charset.map(CharsetPrescan.believed)
    }

    /// A document that can be read as ASCII this far is not in UTF-16.
    static func believed(_ charset: Charset) -> Charset {
        if charset == .utf16LE || charset == .utf16BE { return .utf8 }
        return charset.name == "x-user-defined" ? .windows1252 : charset
    }

    /// "Get an attribute": name and value in lower case; nil at the end of the tag, or of what
    /// there is to see.
    private mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
        skip { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") }
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: ">") {
            index += 1
            return nil
        }
        let start = index
        // An equals sign that comes first belongs to the name.
        index += 1
        skip { !$0.isASCIIWhitespace && !"/>=".utf8.contains($0) }
        let name = bytes[start..<index].map(\.asciiLowercased)
        skip { $0.isASCIIWhitespace }
        guard index < bytes.count else { return nil }
        guard bytes[index] == UInt8(ascii: "=") else { return (name, []) }
        index += 1
        skip { $0.isASCIIWhitespace }
        return value().map { (name, $0) }
    }

    private mutating func value() -> [UInt8]? {
        guard index < bytes.count else { return nil }
        let quote = bytes[index]
        let isQuoted = quote == 0x22 || quote == UInt8(ascii: "'")
        if isQuoted { index += 1 }
        let start = index
        if isQuoted {
            skip { $0 != quote }
        } else {
            skip { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ">") }
        }
        guard index < bytes.count else { return nil }
        let value = bytes[start..<index].map(\.asciiLowercased)
        if isQuoted { index += 1 }
        return value
    }

    /// "Extract a character encoding from a meta element": what `charset=` says in `content`.
    static func charset(inContent content: [UInt8]) -> Charset? {
        var rest = content[...]
        while true {
            let start = rest.indices.first { rest[$0...].startsIgnoringCase("charset") }
            guard let start else { return nil }
            rest = rest[(start + 7)...].drop(while: \.isASCIIWhitespace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isASCIIWhitespace)
            guard let first = rest.first else { return nil }
            if first == 0x22 || first == UInt8(ascii: "'") {
                guard let close = rest.dropFirst().firstIndex(of: first) else { return nil }
                return label(rest.dropFirst().prefix(upTo: close))
            }
            return label(rest.prefix { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ";") })
        }
    }

    private static func label(_ bytes: ArraySlice<UInt8>) -> Charset? {
        Charset(label: String(decoding: bytes, as: UTF8.self))
    }
}
