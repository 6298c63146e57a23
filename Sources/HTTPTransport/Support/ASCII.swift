extension UInt8 {
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }

    /// RFC 9110, 5.6.2.
    var isHTTPToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }

    var isASCIISpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}

extension BidirectionalCollection where Self: StringProtocol {
    func trimmingASCIISpaces() -> SubSequence {
        let isSpace: (Character) -> Bool = { $0.utf8.allSatisfy(\.isASCIISpace) }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
