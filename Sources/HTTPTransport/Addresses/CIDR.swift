/// A block of addresses: `10.0.0.0/8`, `fd00::/8`, or one address alone.
public struct CIDR: Sendable, Hashable {
    public let network: IPAddress
    public let prefix: Int

    /// - Throws: ``CIDRError``, which names what is wrong with the text.
    public init(_ text: String) throws {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = IPAddress(String(parts[0])) else {
            throw CIDRError(text: text, problem: "'\(parts[0])' is not an IP address")
        }
        guard network.unmapped == network else {
            throw CIDRError(text: text, problem: "write it as IPv4: \(network.unmapped)")
        }
        let prefix = parts.count == 1 ? network.bitWidth : Self.number(parts[1])
        guard let prefix, (0...network.bitWidth).contains(prefix) else {
            throw CIDRError(
                text: text, problem: "the prefix must be a number from 0 to \(network.bitWidth)")
        }
        self.init(network.masked(to: prefix), prefix)
        guard self.network == network else {
            throw CIDRError(
                text: text, problem: "it has bits beyond its prefix; did you mean \(self)?")
        }
    }

    /// Digits alone: `Int` would also take a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    private init(_ network: IPAddress, _ prefix: Int) {
        self.network = network
        self.prefix = prefix
    }

    /// For tables in code: the network's bits as they are.
    static func v4(_ network: UInt32, _ prefix: Int) -> CIDR { CIDR(.v4(network), prefix) }
    static func v6(_ network: UInt128, _ prefix: Int) -> CIDR { CIDR(.v6(network), prefix) }

    public func contains(_ address: IPAddress) -> Bool {
        address.bitWidth == network.bitWidth && address.masked(to: prefix) == network
    }

    /// What both hold: the narrower of the two, or nothing.
    func intersection(_ other: CIDR) -> CIDR? {
        let (narrow, wide) = prefix >= other.prefix ? (self, other) : (other, self)
        return wide.contains(narrow.network) ? narrow : nil
    }
}

extension CIDR: CustomStringConvertible {
    public var description: String { "\(network)/\(prefix)" }
}

public struct CIDRError: Error, Sendable, Hashable, CustomStringConvertible {
    public let text: String
    public let problem: String

    public var description: String { "'\(text.onOneLine)' is not an address block: \(problem)" }
}

extension IPAddress {
    fileprivate func masked(to prefix: Int) -> IPAddress {
        switch self {
        case .v4(let bits): .v4(prefix == 0 ? 0 : bits & (UInt32.max << (32 - prefix)))
        case .v6(let bits): .v6(prefix == 0 ? 0 : bits & (UInt128.max << (128 - prefix)))
        }
    }
}
