/// What an address is for, after the registries of special-purpose addresses (RFC 6890).
public enum AddressKind: String, Sendable, Hashable {
    /// Reachable by everybody.
    case global
    case unspecified
    case loopback
    case `private`
    case linkLocal
    /// Carrier-grade NAT, RFC 6598.
    case shared
    case uniqueLocal
    case multicast
    case broadcast
    case documentation
    case benchmark
    case reserved
    /// A public address at which a cloud tells its machines their secrets.
    case metadata
}

extension IPAddress {
    /// The kind of this address, or of the IPv4 address that it leads to.
    public var kind: AddressKind {
        switch self {
        case .v4(let bits): Self.kind(ofV4: bits)
        case .v6(let bits): Self.kind(ofV6: bits)
        }
    }

    private static func kind(ofV4 bits: UInt32) -> AddressKind {
        specialV4.first { $0.block.contains(.v4(bits)) }?.kind ?? .global
    }

    private static func kind(ofV6 bits: UInt128) -> AddressKind {
        if let special = specialV6.first(where: { $0.block.contains(.v6(bits)) }) {
            return special.kind
        }
        let embedded = embeddedV4(in: bits).map(kind(ofV4:))
        if let refused = embedded.first(where: { $0 != .global }) { return refused }
        // Only 2000::/3 has been given out; everything else is either known here or nobody's.
        return embedded.isEmpty && bits >> 125 != 0b001 ? .reserved : .global
    }

    /// The IPv4 addresses that packets to this IPv6 address may end at.
    private static func embeddedV4(in bits: UInt128) -> [UInt32] {
        let last = UInt32(truncatingIfNeeded: bits)
        switch true {
        case bits >> 32 == 0xFFFF: return [last]  // mapped, RFC 4291
        case bits >> 32 == 0: return [last]  // compatible, RFC 4291
        case bits >> 32 == 0xFFFF_0000: return [last]  // translated, RFC 2765
        case bits >> 32 == 0x0064_FF9B << 64: return [last]  // NAT64, RFC 6052
        case bits >> 112 == 0x2002: return [UInt32(truncatingIfNeeded: bits >> 80)]  // 6to4
        case bits >> 96 == 0x2001_0000:  // Teredo, RFC 4380: its server, and the client inverted
            return [UInt32(truncatingIfNeeded: bits >> 64), ~last]
        case bits >> 125 == 0b001 && (bits >> 32) & 0xFCFF_FFFF == 0x5EFE:
            return [last]  // ISATAP, RFC 5214
        default: return []
        }
    }
}
