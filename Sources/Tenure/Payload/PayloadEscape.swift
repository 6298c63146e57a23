/// What stands behind a backslash.
enum PayloadEscape {
    /// - Parameter place: of the backslash; afterwards, the place behind the escape.
    /// - Returns: nil for what is none, and for U+0000.
    static func read(
        _ text: UnsafeBufferPointer<UInt8>, _ place: inout Int
    ) -> Unicode.Scalar? {
        guard place + 1 < text.count else { return nil }
        let letter = text[place + 1]
        if letter == UInt8(ascii: "u") { return readUnicode(text, &place) }
        place += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        default: return nil
        }
    }

    private static func readUnicode(
        _ text: UnsafeBufferPointer<UInt8>, _ place: inout Int
    ) -> Unicode.Scalar? {
        guard let first = readUnit(text, &place), first != 0 else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard let second = readUnit(text, &place), UTF16.isTrailSurrogate(second) else {
            return nil
        }
        return Unicode.Scalar(
            0x1_0000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
    }

    /// The unit of `\u0000`, from its backslash.
    private static func readUnit(
        _ text: UnsafeBufferPointer<UInt8>, _ place: inout Int
    ) -> UInt16? {
        guard place + 6 <= text.count, text[place] == UInt8(ascii: "\\"),
            text[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in text[place + 2..<place + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        place += 6
        return unit
    }
}
