/// What the bytes of a token mean: character references, newlines, NUL.
enum HTMLText {
    struct Rules {
        var hasReferences: Bool
        var replacesNUL: Bool
        var isAttribute = false
    }

    /// Appends the decoded form of `range`; errors go to `report`.
    static func decode(
        _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ rules: Rules,
        into out: inout [UInt8], report: (HTMLParseError.Code, Int) -> Void = { _, _ in }
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = source[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&") where rules.hasReferences:
                index = decodeReference(source, index, range.upperBound, rules, &out, report)
            case 0x0D:
                out.append(0x0A)
                if index < range.upperBound, source[index] == 0x0A { index += 1 }
            case 0 where rules.replacesNUL:
                out.appendUTF8(0xFFFD)
                report(.unexpectedNullCharacter, index - 1)
            default:
                out.append(byte)
            }
        }
    }

    private static func decodeReference(
        _ source: UnsafeBufferPointer<UInt8>, _ index: Int, _ end: Int, _ rules: Rules,
        _ out: inout [UInt8], _ report: (HTMLParseError.Code, Int) -> Void
    ) -> Int {
        let reference = CharacterReference.parse(source, index, end, inAttribute: rules.isAttribute)
        guard let reference else {
            out.append(UInt8(ascii: "&"))
            if let error = CharacterReference.error(source, index, end) { report(error, index) }
            return index
        }
        out.append(reference)
        for error in reference.errors { report(error, reference.end) }
        return reference.end
    }

    /// Whether anything in `bytes` has to be decoded.
    static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.find(UInt8(ascii: "&"), from: 0, to: bytes.count) == nil
            && bytes.find(0x0D, from: 0, to: bytes.count) == nil
            && bytes.find(0, from: 0, to: bytes.count) == nil
    }

    static func normalizingNewlines(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        decode(
            bytes, 0..<bytes.count, Rules(hasReferences: false, replacesNUL: false), into: &result)
        return result
    }
}

extension HTMLTokenizer {
    /// The name of the tag, in lower case.
    public var tagName: String { element?.rawValue ?? name(nameRange) }

    /// The name of an attribute, in lower case.
    public func name(of attribute: HTMLAttribute) -> String {
        attribute.name?.rawValue ?? name(attribute.nameRange)
    }

    /// The value of an attribute with its character references decoded.
    public func value(of attribute: HTMLAttribute) -> String {
        decoded(
            attribute.valueRange,
            HTMLText.Rules(hasReferences: true, replacesNUL: true, isAttribute: true))
    }

    /// The value of the attribute called `name`, if the tag has one.
    public func value(_ name: HTMLAttributeName) -> String? {
        for attribute in attributes where attribute.name == name { return value(of: attribute) }
        return nil
    }

    /// The text of a text token, decoded; of a comment, what is between its delimiters.
    public var text: String { decoded(contents, textRules) }

    /// Appends the text of a text token, decoded.
    public func appendText(to out: inout [UInt8]) {
        let bytes = source.slice(contents)
        if HTMLText.isPlain(bytes) {
            out.append(contentsOf: bytes)
        } else {
            HTMLText.decode(source, contents, textRules, into: &out)
        }
    }

    /// The bytes of the document that hold the text of a text token or comment.
    public var textRange: Range<Int> { contents }

    /// Whether the text is that of a script, a style sheet or the like: no references in it.
    public var isRawText: Bool { textContent == .rawtext || textContent == .script }

    public var doctype: HTMLToken.Doctype { doctypeToken }

    /// The token that the tokenizer stands on, as a value.
    public func token(_ kind: Kind) -> HTMLToken {
        switch kind {
        case .doctype: .doctype(doctypeToken)
        case .startTag:
            .startTag(
                name: tagName,
                attributes: attributes.map {
                    HTMLToken.Attribute(name: name(of: $0), value: value(of: $0))
                },
                isSelfClosing: isSelfClosing)
        case .endTag: .endTag(name: tagName)
        case .comment: .comment(decoded(contents, .comment))
        case .text: .text(text)
        }
    }

    var textRules: HTMLText.Rules {
        HTMLText.Rules(
            hasReferences: textContent == .data || textContent == .rcdata,
            replacesNUL: textContent != .data && textContent != .cdata)
    }

    func decoded(_ range: Range<Int>, _ rules: HTMLText.Rules) -> String {
        let bytes = source.slice(range)
        if HTMLText.isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
        var out: [UInt8] = []
        out.reserveCapacity(range.count)
        HTMLText.decode(source, range, rules, into: &out)
        return String(decoding: out, as: UTF8.self)
    }

    private func name(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for byte in source[range] {
            if byte == 0 { bytes.appendUTF8(0xFFFD) } else { bytes.append(byte.asciiLowercased) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTMLText.Rules {
    static let comment = HTMLText.Rules(hasReferences: false, replacesNUL: true)
}
