import NIOCore

/// Which names a server answers to.
///
/// A page in somebody's browser can have its own name point to 127.0.0.1 and then read what is
/// served there (DNS rebinding): it can't choose the name that its requests carry.
enum HostRule: Sendable {
    /// This machine's loopback names, with the very port.
    case ownPort
    /// Any address and `localhost`, with any port, as tunnels change it; or no name at all, as
    /// simple probes send. A browser's request always has a name, and a rebound one is no address.
    case noForeignName
    /// Whoever reaches it may read it.
    case any

    func allows(_ authority: String?, port: Int?) -> Bool {
        switch self {
        case .any: return true
        case .ownPort:
            guard let authority = authority?.lowercased(), let port else { return false }
            return ["127.0.0.1", "localhost", "[::1]"].contains { name in
                authority == "\(name):\(port)" || port == 80 && authority == name
            }
        case .noForeignName:
            guard let authority else { return true }
            let name = Self.name(of: authority.lowercased())
            return name == "localhost" || Self.isAddress(name)
        }
    }

    /// Without its port, and an IPv6 address without its brackets.
    private static func name(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return "" }
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }

    static func isAddress(_ text: String) -> Bool { address(text) != nil }

    /// Whether only this machine reaches what is bound to it.
    static func isLoopback(_ text: String) -> Bool {
        text.hasPrefix("127.") && isAddress(text) || text == "::1"
    }

    private static func address(_ text: String) -> SocketAddress? {
        // Reason for `try?`: what is no address is a name.
        try? SocketAddress(ipAddress: text, port: 0)
    }
}
