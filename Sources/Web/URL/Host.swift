/// A host, parsed and serialised (URL standard, section 3).
struct Host {
    var kind: WebURL.HostKind
    var bytes: [UInt8]

    static let none = Host(kind: .none, bytes: [])
    static let empty = Host(kind: .empty, bytes: [])

    static func parse(_ input: ArraySlice<UInt8>, isSpecial: Bool) throws(WebURLError) -> Host {
        if input.first == UInt8(ascii: "[") {
            guard input.last == UInt8(ascii: "]"),
                let address = IPAddress.parseIPv6(input.dropFirst().dropLast())
            else { throw WebURLError(.ipv6Invalid) }
            return Host(kind: .ipv6, bytes: IPAddress.serializeIPv6(address))
        }
        return isSpecial ? try domain(input) : try opaque(input)
    }

    private static func opaque(_ input: ArraySlice<UInt8>) throws(WebURLError) -> Host {
        if input.isEmpty { return empty }
        if input.contains(where: isForbidden) { throw WebURLError(.hostInvalid) }
        var bytes: [UInt8] = []
        bytes.appendPercentEncoded(input, .c0Control)
        return Host(kind: .opaque, bytes: bytes)
    }

    private static func domain(_ input: ArraySlice<UInt8>) throws(WebURLError) -> Host {
        let decoded = input.contains(UInt8(ascii: "%")) ? Percent.decode(input) : Array(input)
        let ascii =
            decoded.allSatisfy { $0 < 0x80 }
            ? decoded.map(\.asciiLowercased) : try DomainName.toASCII(decoded)
        if ascii.isEmpty { throw WebURLError(.domainInvalid) }
        if ascii.contains(where: isForbiddenInDomain) { throw WebURLError(.hostInvalid) }
        guard IPAddress.endsInNumber(ascii) else { return Host(kind: .domain, bytes: ascii) }
        guard let address = IPAddress.parseIPv4(ascii) else { throw WebURLError(.ipv4Invalid) }
        return Host(kind: .ipv4, bytes: IPAddress.serializeIPv4(address))
    }

    /// "Forbidden host code point".
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00, 0x09, 0x0A, 0x0D, UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: "/"),
            UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "?"),
            UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"),
            UInt8(ascii: "^"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    /// "Forbidden domain code point".
    private static func isForbiddenInDomain(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "%") || byte == 0x7F || isForbidden(byte)
    }
}
