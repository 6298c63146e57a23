/// A proxy that every request goes through. Its own address is the operator's word, and not vetted.
public struct HTTPProxy: Sendable, Hashable {
    /// Who turns the names of hosts into addresses.
    public enum Naming: String, Sendable, Hashable {
        /// We do, and vet them: the proxy is asked for a tunnel to the address, so that a name
        /// can't mean another one there. Needs a proxy that tunnels to every port in use, 80 too.
        case here
        /// The proxy does, where this machine can't: only hosts that are addresses already are
        /// vetted, and which others may be reached is the proxy's to say.
        case atProxy
    }

    /// `http://host:port`, or `https://` where the way to the proxy is encrypted too.
    public var url: String
    public var user: String?
    public var password: String?
    public var naming: Naming

    public init(
        _ url: String, user: String? = nil, password: String? = nil, naming: Naming = .here
    ) {
        self.url = url
        self.user = user
        self.password = password
        self.naming = naming
    }
}

extension HTTPProxy: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { url.redactedURL }
    public var debugDescription: String { description }
}

extension HTTPProxy: CustomReflectable {
    /// `dump` and string interpolation of whatever holds it show no password either.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
