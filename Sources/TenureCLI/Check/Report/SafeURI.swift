/// URIs as RFC 3986 has them. What browsers make of a link is often no such URI, and those that
/// read reports are strict.
enum SafeURI {
    private static let unreserved = Set("-._~".utf8)
    private static let kept = Set("-._~:/?@!$&'()*+,;=".utf8)

    /// A path of a file, whatever is in its name.
    static func path(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            text += byte == UInt8(ascii: "/") ? "/" : encoded(byte, unreserved)
        }
    }

    /// A URL that the product has read: what may not stand in a URI is encoded; the brackets of an
    /// address stay.
    static func url(_ url: String) -> String {
        let bytes = Array(url.utf8)
        let hasFragment = bytes.firstIndex(of: UInt8(ascii: "#"))
        let authority = authority(of: bytes)
        var text = ""
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "%"):
                text += isEscape(bytes[(index + 1)...].prefix(2)) ? "%" : "%25"
            case UInt8(ascii: "#"): text += index == hasFragment ? "#" : "%23"
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                text += authority.contains(index) ? (byte == 0x5B ? "[" : "]") : encoded(byte, [])
            default: text += encoded(byte, kept)
            }
        }
        return text
    }

    /// Whether somebody may follow it: nothing that a browser would run.
    static func isWeb(_ url: String) -> Bool {
        url.hasPrefix("http://") || url.hasPrefix("https://")
    }

    private static func authority(of bytes: [UInt8]) -> Range<Int> {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[(colon + 1)...].starts(with: "//".utf8)
        else { return 0..<0 }
        let start = colon + 3
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        return start..<end
    }

    private static func isEscape(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private static func encoded(_ byte: UInt8, _ kept: Set<UInt8>) -> String {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || kept.contains(byte) {
            return String(character)
        }
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }
}
