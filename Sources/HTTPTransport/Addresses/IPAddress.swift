import TenureSystem

/// An IPv4 or IPv6 address.
public enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(UInt128)

    /// Reads the textual forms of `inet_pton`: dotted quads, and IPv6 without brackets or zone.
    public init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    init(_ address: in_addr) {
        self = .v4(UInt32(bigEndian: address.s_addr))
    }

    init(_ address: in6_addr) {
        // It is aligned for its bytes, or for fours of them.
        let bits = withUnsafeBytes(of: address) { $0.loadUnaligned(as: UInt128.self) }
        self = .v6(UInt128(bigEndian: bits))
    }

    /// The address of a socket; nil for families that aren't IP.
    init?(socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    var bitWidth: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// The address itself, but `::ffff:a.b.c.d` as the `a.b.c.d` that a connection to it reaches.
    var unmapped: IPAddress {
        if case .v6(let bits) = self, bits >> 32 == 0xFFFF {
            return .v4(UInt32(truncatingIfNeeded: bits))
        }
        return self
    }
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        switch self {
        case .v4(let bits):
            var address = in_addr(s_addr: bits.bigEndian)
            return Self.text(AF_INET, &address, Int(INET_ADDRSTRLEN))
        case .v6(let bits):
            var address = bits.bigEndian
            return Self.text(AF_INET6, &address, Int(INET6_ADDRSTRLEN))
        }
    }

    private static func text(
        _ family: Int32, _ address: UnsafeRawPointer, _ capacity: Int
    ) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress,
                inet_ntop(family, address, start, socklen_t(capacity)) != nil
            else { return "?" }
            return String(cString: start)
        }
    }
}
