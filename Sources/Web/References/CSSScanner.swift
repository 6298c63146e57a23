/// Finds URLs in CSS, with as much of CSS Syntax (level 3) as that takes: comments, strings,
/// escapes, `url` tokens, the brackets of functions, and which at-rule one is in.
struct CSSScanner {
    struct Found {
        var raw: String
        var isImport: Bool
        /// Where the URL begins, behind its quote.
        var offset: Int
    }

    let source: UnsafeBufferPointer<UInt8>
    private let isDeclarations: Bool
    var index = 0
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
        case UInt8(ascii: "<") where startsWith("<!--"):
            index += 4
        case UInt8(ascii: "-") where startsWith("-->"):
            index += 3
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
}
