/// The DOCTYPE: sections 13.2.5.53 to 13.2.5.68.
extension HTMLTokenizer {
    mutating func doctype(_ start: Int) -> Kind {
        doctypeToken = HTMLToken.Doctype()
        var reader = DoctypeReader(source: source, index: start, end: end)
        reader.read()
        doctypeToken = reader.token
        position = reader.index
        if collectsErrors { errors += reader.errors }
        return .doctype
    }
}

/// Reads one DOCTYPE. Each function is one or two states; `false` says that the token is done.
private struct DoctypeReader {
    let source: UnsafeBufferPointer<UInt8>
    var index: Int
    let end: Int
    var token = HTMLToken.Doctype()
    var errors: [HTMLParseError] = []

    init(source: UnsafeBufferPointer<UInt8>, index: Int, end: Int) {
        self.source = source
        self.index = index
        self.end = end
    }

    private mutating func fail(_ code: HTMLParseError.Code) {
        errors.append(HTMLParseError(code: code, offset: index))
    }

    mutating func read() {
        if readName(), readKeyword() { skipToClose() }
    }

    private mutating func readName() -> Bool {
        if !skipSpace(), index < end, source[index] != UInt8(ascii: ">") {
            fail(.missingWhitespaceBeforeDoctypeName)
        }
        if isAtEnd(orClose: .missingDoctypeName) { return false }
        let start = index
        while index < end, !ByteMask.contains(ByteMask.unquoted, source[index]) { index += 1 }
        token.name = text(start..<index, lowercased: true)
        skipSpace()
        return !isAtEnd(orClose: nil)
    }

    private mutating func readKeyword() -> Bool {
        let word = source.slice(index..<min(index + 6, end))
        if word.equalsIgnoringCase("public") {
            index += 6
            return readPublic()
        }
        if word.equalsIgnoringCase("system") {
            index += 6
            return readSystem()
        }
        fail(.invalidCharacterSequenceAfterDoctypeName)
        token.forcesQuirks = true
        return true
    }

    private mutating func readPublic() -> Bool {
        let hasSpace = skipSpace()
        if isAtEnd(orClose: .missingDoctypePublicIdentifier) { return false }
        guard isAtQuote else {
            fail(.missingQuoteBeforeDoctypePublicIdentifier)
            token.forcesQuirks = true
            return true
        }
        if !hasSpace { fail(.missingWhitespaceAfterDoctypePublicKeyword) }
        let (id, isWhole) = readQuoted(.abruptDoctypePublicIdentifier)
        token.publicID = id
        guard isWhole else { return false }
        let isSeparated = skipSpace()
        if isAtEnd(orClose: nil) { return false }
        if isAtQuote, !isSeparated {
            fail(.missingWhitespaceBetweenDoctypePublicAndSystemIdentifiers)
        }
        return readSystemID()
    }

    private mutating func readSystem() -> Bool {
        let hasSpace = skipSpace()
        if isAtEnd(orClose: .missingDoctypeSystemIdentifier) { return false }
        if isAtQuote, !hasSpace { fail(.missingWhitespaceAfterDoctypeSystemKeyword) }
        return readSystemID()
    }

    private mutating func readSystemID() -> Bool {
        guard isAtQuote else {
            fail(.missingQuoteBeforeDoctypeSystemIdentifier)
            token.forcesQuirks = true
            return true
        }
        let (id, isWhole) = readQuoted(.abruptDoctypeSystemIdentifier)
        token.systemID = id
        guard isWhole else { return false }
        skipSpace()
        if isAtEnd(orClose: nil) { return false }
        fail(.unexpectedCharacterAfterDoctypeSystemIdentifier)
        return true
    }

    /// A quoted identifier; not whole when a `>` or the end of the document comes first.
    private mutating func readQuoted(_ abrupt: HTMLParseError.Code) -> (String, Bool) {
        let quote = source[index]
        index += 1
        let start = index
        while index < end, source[index] != quote, source[index] != UInt8(ascii: ">") { index += 1 }
        let id = text(start..<index, lowercased: false)
        if index < end, source[index] == quote {
            index += 1
            return (id, true)
        }
        _ = isAtEnd(orClose: abrupt)
        return (id, false)
    }

    private var isAtQuote: Bool {
        source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "'")
    }

    /// Whether the token ends here. The end of the document is an error and so is, if `code`
    /// is given, a `>`; both then force quirks.
    private mutating func isAtEnd(orClose code: HTMLParseError.Code?) -> Bool {
        guard index < end else {
            fail(.eofInDoctype)
            token.forcesQuirks = true
            return true
        }
        guard source[index] == UInt8(ascii: ">") else { return false }
        if let code {
            fail(code)
            token.forcesQuirks = true
        }
        index += 1
        return true
    }

    /// "Bogus DOCTYPE state".
    private mutating func skipToClose() {
        let close = source.find(UInt8(ascii: ">"), from: index, to: end)
        for byte in source[index..<(close ?? end)] where byte == 0 {
            fail(.unexpectedNullCharacter)
        }
        index = close.map { $0 + 1 } ?? end
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < end, source[index].isASCIIWhitespace { index += 1 }
        return index > start
    }

    private mutating func text(_ range: Range<Int>, lowercased: Bool) -> String {
        var bytes: [UInt8] = []
        for byte in HTMLText.normalizingNewlines(source.slice(range)) {
            if byte == 0 {
                fail(.unexpectedNullCharacter)
                bytes.appendUTF8(0xFFFD)
            } else {
                bytes.append(lowercased ? byte.asciiLowercased : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
