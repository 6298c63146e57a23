/// Which addresses a request may reach: everybody's, and those the operator allows by name. Which
/// are not everybody's stands in the tables of `SpecialAddresses.swift`.
///
/// It is asked about resolved addresses, never about host names: about every one in the
/// resolver's answer, about each socket before it is opened, and about the peer before a request
/// goes out on a connection, new or kept.
public struct AddressPolicy: Sendable, Hashable {
    /// Blocks that are allowed although they aren't global. IPv4 blocks also cover the mapped
    /// form; other IPv6 forms that embed IPv4 need a block of their own.
    public var allowed: [CIDR]

    public init(allowed: [CIDR] = []) {
        self.allowed = allowed
    }

    public static let publicOnly = AddressPolicy()

    /// The same for fewer addresses: of the blocks that are allowed, what `blocks` hold as well.
    public func narrowed(to blocks: [CIDR]) -> AddressPolicy {
        AddressPolicy(
            allowed: allowed.flatMap { own in blocks.compactMap { own.intersection($0) } })
    }

    public func permits(_ address: IPAddress) -> Bool {
        refusal(of: address) == nil
    }

    /// Why an address is refused; nil if it isn't.
    public func refusal(of address: IPAddress) -> AddressKind? {
        let kind = address.kind
        if kind == .global || allowed.contains(where: { $0.contains(address.unmapped) }) {
            return nil
        }
        return kind
    }
}
