/// What the standards call "ASCII digit", "ASCII alpha" and so on, on bytes.
extension UInt8 {
    @inline(__always) var isASCIIDigit: Bool { self &- 0x30 < 10 }
    @inline(__always) var isASCIIAlpha: Bool { (self | 0x20) &- 0x61 < 26 }
    @inline(__always) var isASCIIUpper: Bool { self &- 0x41 < 26 }
    @inline(__always) var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIIAlpha }
    @inline(__always) var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20) &- 0x61 < 6 }
    @inline(__always) var asciiLowercased: UInt8 { isASCIIUpper ? self | 0x20 : self }

    /// Tab, line feed, form feed, carriage return or space (Infra standard).
    @inline(__always) var isASCIIWhitespace: Bool {
        // One look for nearly all bytes: a bit each for those up to the space.
        self <= 0x20 && 0x1_0000_3600 as UInt64 &>> UInt64(self) & 1 != 0
    }

    var hexValue: UInt8? {
        if isASCIIDigit { return self - 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    static func upperHexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}

extension Collection<UInt8> {
    /// Compares with `lowercase`, which must be in lower case, ignoring ASCII case.
    func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        count == lowercase.utf8CodeUnitCount && startsIgnoringCase(lowercase)
    }

    func startsIgnoringCase(_ lowercase: StaticString) -> Bool {
        var index = startIndex
        for position in 0..<lowercase.utf8CodeUnitCount {
            guard index < endIndex else { return false }
            guard self[index].asciiLowercased == lowercase.utf8Start[position] else { return false }
            index = self.index(after: index)
        }
        return true
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without ASCII whitespace at both ends.
    func trimmingASCIIWhitespace() -> SubSequence {
        guard let first = firstIndex(where: { !$0.isASCIIWhitespace }),
            let last = lastIndex(where: { !$0.isASCIIWhitespace })
        else { return self[endIndex..<endIndex] }
        return self[first...last]
    }
}
