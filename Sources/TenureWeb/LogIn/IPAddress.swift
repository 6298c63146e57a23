import TenureSystem

/// Where a request comes from: four bytes or sixteen.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// - Returns: nil for what is no address. One of IPv4 that is written as one of IPv6 is the
    ///   one of IPv4.
    package init?(_ text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var six = in6_addr()
        // A link's own addresses come with its name.
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &six) == 1 else { return nil }
        let all = withUnsafeBytes(of: &six) { Array($0) }
        let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
        bytes = isMapped ? Array(all[12...]) : all
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// What one party has of its own: all of an IPv4 address, and the first half of an IPv6 one.
    var network: IPAddress {
        bytes.count == 4 ? self : IPAddress(bytes: bytes[..<8] + [UInt8](repeating: 0, count: 8))
    }

    package var description: String {
        if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count))
        let used = text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return String(decoding: used, as: UTF8.self)
    }

    /// As proxies write it: with a port behind it, or in brackets.
    init?(hop text: String) {
        if let address = IPAddress(text) {
            self = address
        } else if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if text.utf8.filter({ $0 == UInt8(ascii: ":") }).count == 1 {
            self.init(String(text.prefix { $0 != ":" }))
        } else {
            return nil
        }
    }
}

/// Which machines are meant: `10.0.0.0/8,::1`.
package struct AddressRanges: Sendable {
    private struct Range {
        let address: IPAddress
        let bits: Int

        func contains(_ other: IPAddress) -> Bool {
            guard address.bytes.count == other.bytes.count else { return false }
            let pairs = zip(address.bytes, other.bytes).enumerated()
            return pairs.allSatisfy { index, pair in
                let left = max(0, min(8, bits - index * 8))
                return (pair.0 ^ pair.1) & ~(UInt8.max >> left) == 0
            }
        }
    }
    private let ranges: [Range]

    /// Nobody.
    package init() { ranges = [] }

    /// - Returns: nil for what is no list of addresses or ranges, or has all that there are in it.
    package init?(_ text: String) {
        var ranges: [Range] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.filter { $0 != " " }.split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = IPAddress(String(pair[0])) else { return nil }
            let most = address.bytes.count * 8
            guard pair.count > 1 else {
                ranges.append(Range(address: address, bits: most))
                continue
            }
            guard let bits = Int(pair[1]), (1...most).contains(bits) else { return nil }
            ranges.append(Range(address: address, bits: bits))
        }
        self.ranges = ranges
    }

    var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ address: IPAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }
}
