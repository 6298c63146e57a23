/// The tokens of CSS Syntax that matter here.
extension CSSScanner {
    func peek(_ offset: Int) -> UInt8? {
        index + offset < source.count ? source[index + offset] : nil
    }

    func startsWith(_ text: StaticString) -> Bool {
        source[index...].startsIgnoringCase(text)
    }

    mutating func skipSpace() {
        while index < source.count, source[index].isASCIIWhitespace { index += 1 }
    }

    mutating func skipComment() {
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

    func isNameStart(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "\\")
    }

    /// A name in lower case. Numbers with their units pass for names too, which does no harm.
    mutating func name() -> String {
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
    mutating func string(_ quote: UInt8) -> (String, Int) {
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
    mutating func escape(_ bytes: inout [UInt8]) {
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
