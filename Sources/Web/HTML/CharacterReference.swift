/// One character reference (HTML standard, sections 13.2.5.72 to 13.2.5.80).
struct CharacterReference {
    var first: UInt32
    var second: UInt32 = 0
    /// The place after the reference.
    var end: Int
    var errors: [HTMLParseError.Code] = []

    /// What the ampersand before `start` begins; nil if it is only an ampersand.
    static func parse(
        _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, inAttribute: Bool
    ) -> CharacterReference? {
        guard start < end else { return nil }
        if source[start] == UInt8(ascii: "#") { return numeric(source, start + 1, end) }
        guard let match = NamedReferences.shared.longestMatch(source, start, end) else {
            return nil
        }
        if inAttribute, !match.hasSemicolon, match.end < end {
            let next = source[match.end]
            if next == UInt8(ascii: "=") || next.isASCIIAlphanumeric { return nil }
        }
        return CharacterReference(
            first: match.entry.first, second: match.entry.second, end: match.end,
            errors: match.hasSemicolon ? [] : [.missingSemicolonAfterCharacterReference])
    }

    /// The error of an ampersand that begins no reference, if it is one.
    static func error(
        _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) -> HTMLParseError.Code? {
        if start < end, source[start] == UInt8(ascii: "#") {
            return .absenceOfDigitsInNumericCharacterReference
        }
        // In an attribute, a name that is known may still be no reference, and no error.
        if NamedReferences.shared.longestMatch(source, start, end) != nil { return nil }
        var index = start
        while index < end, source[index].isASCIIAlphanumeric { index += 1 }
        let isNamed = index > start && index < end && source[index] == UInt8(ascii: ";")
        return isNamed ? .unknownNamedCharacterReference : nil
    }

    private static func numeric(
        _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) -> CharacterReference? {
        var index = start
        let isHex = index < end && source[index] | 0x20 == UInt8(ascii: "x")
        if isHex { index += 1 }
        let digits = index
        var code: UInt32 = 0
        while index < end, let digit = source[index].hexValue, isHex || digit < 10 {
            code = min(code * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
            index += 1
        }
        guard index > digits else { return nil }
        var errors: [HTMLParseError.Code] = []
        if index < end, source[index] == UInt8(ascii: ";") {
            index += 1
        } else {
            errors.append(.missingSemicolonAfterCharacterReference)
        }
        let (value, error) = character(code)
        if let error { errors.append(error) }
        return CharacterReference(first: value, end: index, errors: errors)
    }

    /// "Numeric character reference end state".
    private static func character(_ code: UInt32) -> (UInt32, HTMLParseError.Code?) {
        switch code {
        case 0: (0xFFFD, .nullCharacterReference)
        case 0x110000...: (0xFFFD, .characterReferenceOutsideUnicodeRange)
        case 0xD800...0xDFFF: (0xFFFD, .surrogateCharacterReference)
        case _ where isNoncharacter(code): (code, .noncharacterCharacterReference)
        case 0x09, 0x0A, 0x0C: (code, nil)
        case 0x80...0x9F: (Windows1252.highControls[Int(code - 0x80)], .controlCharacterReference)
        case 0..<0x20, 0x7F: (code, .controlCharacterReference)
        default: (code, nil)
        }
    }

    static func isNoncharacter(_ code: UInt32) -> Bool {
        (0xFDD0...0xFDEF).contains(code) || code & 0xFFFE == 0xFFFE
    }
}

extension [UInt8] {
    mutating func append(_ reference: CharacterReference) {
        appendUTF8(reference.first)
        if reference.second != 0 { appendUTF8(reference.second) }
    }

    /// Appends the UTF-8 form of a code point that is known not to be a surrogate.
    @inline(__always)
    mutating func appendUTF8(_ code: UInt32) {
        if code < 0x80 {
            append(UInt8(code))
        } else if code < 0x800 {
            append(UInt8(0xC0 | code >> 6))
            append(UInt8(0x80 | code & 0x3F))
        } else if code < 0x10000 {
            append(UInt8(0xE0 | code >> 12))
            append(UInt8(0x80 | code >> 6 & 0x3F))
            append(UInt8(0x80 | code & 0x3F))
        } else {
            append(UInt8(0xF0 | code >> 18))
            append(UInt8(0x80 | code >> 12 & 0x3F))
            append(UInt8(0x80 | code >> 6 & 0x3F))
            append(UInt8(0x80 | code & 0x3F))
        }
    }
}
