/// The parse errors inside of what the tokenizer otherwise passes over. Only when asked for.
extension HTMLTokenizer {
    mutating func checkText() {
        if textContent == .data {
            for index in contents where source[index] == 0 { fail(.unexpectedNullCharacter, index) }
        }
        checkText(contents, inAttribute: false)
    }

    mutating func checkText(_ range: Range<Int>, inAttribute: Bool) {
        var rules = textRules
        if inAttribute {
            rules = HTMLText.Rules(hasReferences: true, replacesNUL: true, isAttribute: true)
        }
        var found: [HTMLParseError] = []
        var out: [UInt8] = []
        HTMLText.decode(source, range, rules, into: &out) { code, offset in
            found.append(HTMLParseError(code: code, offset: offset))
        }
        errors += found
    }

    mutating func checkNUL(_ range: Range<Int>) {
        for index in range where source[index] == 0 { fail(.unexpectedNullCharacter, index) }
    }

    mutating func checkAttributeName(_ range: Range<Int>) {
        checkNUL(range)
        for index in range where "\"'<".utf8.contains(source[index]) {
            fail(.unexpectedCharacterInAttributeName, index)
        }
    }

    mutating func checkAfterValue(_ index: Int) {
        guard index < end, !ByteMask.contains(ByteMask.tagName, source[index]) else { return }
        fail(.missingWhitespaceBetweenAttributes, index)
    }

    mutating func checkUnquoted(_ range: Range<Int>) {
        for index in range where "\"'<=`".utf8.contains(source[index]) {
            fail(.unexpectedCharacterInUnquotedAttributeValue, index)
        }
    }

    /// `<!--` in a comment, unless it is its end.
    mutating func checkNested(_ start: Int) {
        var from = start
        while let open = source.find(UInt8(ascii: "<"), from: from, to: end) {
            from = open + 1
            let close = source.find(UInt8(ascii: ">"), from: start, to: open)
            if let close, hasEnded(close, start) { return }
            guard source.slice(open..<min(open + 4, end)).elementsEqual("<!--".utf8) else {
                continue
            }
            if open + 4 < end, source[open + 4] != UInt8(ascii: ">") {
                fail(.nestedComment, open + 4)
            }
        }
    }

    private func hasEnded(_ close: Int, _ start: Int) -> Bool {
        close <= start + 1 || source[close - 1] == UInt8(ascii: "-")
    }

    /// Controls and noncharacters, which any text may contain but none should; and surrogates in
    /// the form that UTF-8 would give them, which only bytes can contain that no decoder has seen.
    mutating func checkInputStream() {
        var index = 0
        while index < end {
            let (code, length) = scalar(at: index)
            if (0xD800...0xDFFF).contains(code) {
                fail(.surrogateInInputStream, index)
            } else if CharacterReference.isNoncharacter(code) {
                fail(.noncharacterInInputStream, index)
            } else if code < 0x20 && code != 0 && !source[index].isASCIIWhitespace
                || (0x7F...0x9F).contains(code)
            {
                fail(.controlCharacterInInputStream, index)
            }
            index += length
        }
    }

    private func scalar(at index: Int) -> (UInt32, Int) {
        let first = source[index]
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard length > 1, index + length <= end else { return (UInt32(first), 1) }
        var code = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length { code = code << 6 | UInt32(source[index + offset] & 0x3F) }
        return (code, length)
    }
}
