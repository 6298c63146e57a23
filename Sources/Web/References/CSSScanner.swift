/// Finds URLs in CSS, with as much of CSS Syntax (level 3) as that takes: comments, strings,
/// escapes, `url` tokens, the brackets of functions, and which at-rule one is in.
struct CSSScanner {
    struct Found {
        var raw: String
        var isImport: Bool
        /// Where the URL begins, behind its quote.
        var offset: Int
    }

    private let source: UnsafeBufferPointer<UInt8>
    private let isDeclarations: Bool
    private var index = 0
    private var limit = Int.max
    private(set) var found: [Found] = []

    /// The statement at the top that is being read. `@import` counts only at the start.
    private enum Statement {
        case none, `import`, namespace, prelude, other
    }
    private var statement = Statement.none
    private var allowsImports = true
    private var depth = 0
    /// How deep the brackets were outside of each open `image-set()`.
    private var imageSets: [Int] = []

    /// - Parameter isDeclarations: for a `style` attribute, which holds no rules.
    init(_ source: UnsafeBufferPointer<UInt8>, isDeclarations: Bool = false) {
        self.source = source
        self.isDeclarations = isDeclarations
        allowsImports = !isDeclarations
    }

    var isOverLimit: Bool { found.count >= limit }

    mutating func scan(limit: Int) {
        self.limit = limit
        while index < source.count, !isOverLimit { step() }
    }

    private mutating func step() {
        let byte = source[index]
        switch byte {
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
            skipComment()
        case 0x22, UInt8(ascii: "'"):
            let (text, start) = string(byte)
            if statement == .import || !imageSets.isEmpty { take(text, start) }
            noteContent()
        case UInt8(ascii: "@"):
            index += 1
            atRule(name())
        case UInt8(ascii: ";"):
            index += 1
            if depth == 0 { statement = .none }
        case UInt8(ascii: "{"), UInt8(ascii: "}"):
            index += 1
            depth = 0
            imageSets = []
            noteContent()
            statement = .none
            allowsImports = false
        case UInt8(ascii: "("):
            index += 1
            depth += 1
        case UInt8(ascii: ")"):
            index += 1
            depth = max(0, depth - 1)
            if let last = imageSets.last, last >= depth { imageSets.removeLast() }
        default:
            if isNameStart(byte) { identifier() } else { other(byte) }
        }
    }

    private mutating func other(_ byte: UInt8) {
        index += 1
        if !byte.isASCIIWhitespace { noteContent() }
    }

    /// Anything at the top but the statements that may stand before imports ends their time.
    private mutating func noteContent() {
        if statement == .none { statement = .other }
        if statement == .other { allowsImports = false }
    }

    private mutating func atRule(_ name: String) {
        switch name {
        case "import": statement = allowsImports ? .import : .other
        case "namespace": statement = .namespace
        case "charset", "layer": statement = .prelude
        default: statement = .other
        }
        if statement == .other || statement == .namespace { allowsImports = false }
    }

    private mutating func identifier() {
        let name = name()
        guard peek(0) == UInt8(ascii: "(") else { return noteContent() }
        index += 1
        if name == "url" {
            url()
        } else {
            if name.hasSuffix("image-set") { imageSets.append(depth) }
            depth += 1
            noteContent()
        }
    }

    /// Behind `url(`.
    private mutating func url() {
        skipSpace()
        if let quote = peek(0), quote == 0x22 || quote == UInt8(ascii: "'") {
            let (text, start) = string(quote)
            // Behind the string there may be modifiers.
            while index < source.count, source[index] != UInt8(ascii: ")") { index += 1 }
            index = min(index + 1, source.count)
            take(text, start)
        } else {
            unquotedURL()
        }
        noteContent()
    }

    private mutating func unquotedURL() {
        let start = index
        var bytes: [UInt8] = []
        var isBad = false
        while index < source.count, source[index] != UInt8(ascii: ")") {
            switch source[index] {
            case UInt8(ascii: "\\"): escape(&bytes)
            case 0x22, UInt8(ascii: "'"), UInt8(ascii: "("):
                isBad = true
                index += 1
            case let byte where byte.isASCIIWhitespace:
                skipSpace()
                if index < source.count, source[index] != UInt8(ascii: ")") { isBad = true }
            case let byte:
                bytes.append(byte)
                index += 1
            }
        }
        index = min(index + 1, source.count)
        if !isBad { take(String(decoding: bytes, as: UTF8.self), start) }
    }

    /// A URL that is only a fragment means the document that is styled, and loads nothing.
    private mutating func take(_ raw: String, _ offset: Int) {
        let isImport = statement == .import
        if statement == .namespace { return }
        if isImport { statement = .prelude }
        if raw.isEmpty || raw.utf8.first == UInt8(ascii: "#") { return }
        found.append(Found(raw: raw, isImport: isImport, offset: offset))
    }

    // MARK: Tokens

    private func peek(_ offset: Int) -> UInt8? {
        index + offset < source.count ? source[index + offset] : nil
    }

    private mutating func skipSpace() {
        while index < source.count, source[index].isASCIIWhitespace { index += 1 }
    }

    private mutating func skipComment() {
        index += 2
        while let star = source.find(UInt8(ascii: "*"), from: index, to: source.count) {
            index = star + 1
            if peek(0) == UInt8(ascii: "/") {
                index += 1
                return
            }
        }
        index = source.count
    }

    private func isNameStart(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "\\")
    }

    /// A name in lower case. Numbers with their units pass for names too, which does no harm.
    private mutating func name() -> String {
        var bytes: [UInt8] = []
        while index < source.count, isNameStart(source[index]) {
            if source[index] == UInt8(ascii: "\\") {
                escape(&bytes)
            } else {
                bytes.append(source[index].asciiLowercased)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A string and the place behind its opening quote. It ends at a newline, if not before.
    private mutating func string(_ quote: UInt8) -> (String, Int) {
        index += 1
        let start = index
        var bytes: [UInt8] = []
        while index < source.count {
            let byte = source[index]
            if byte == quote {
                index += 1
                break
            }
            if byte == 0x0A || byte == 0x0D || byte == 0x0C { return ("", start) }
            if byte == UInt8(ascii: "\\") {
                escape(&bytes)
            } else {
                bytes.append(byte)
                index += 1
            }
        }
        return (String(decoding: bytes, as: UTF8.self), start)
    }

    /// At a backslash: up to six hex digits and a space, or any character itself.
    private mutating func escape(_ bytes: inout [UInt8]) {
        index += 1
        var code: UInt32 = 0
        var digits = 0
        while digits < 6, let digit = peek(0)?.hexValue {
            code = code << 4 | UInt32(digit)
            digits += 1
            index += 1
        }
        if digits > 0 {
            let isScalar = code != 0 && Unicode.Scalar(code) != nil
            bytes.appendUTF8(isScalar ? code : 0xFFFD)
            if let byte = peek(0), byte.isASCIIWhitespace { index += 1 }
        } else if let byte = peek(0) {
            // A newline behind a backslash goes on with the string.
            if byte != 0x0A, byte != 0x0D, byte != 0x0C { bytes.append(byte) }
            index += 1
        }
    }
}
