/// How a transfer gets to its target: what was resolved, and what may be connected to.
struct Route {
    /// The proxy in between, with its URL read.
    struct Proxy: Sendable {
        let settings: HTTPProxy
        let target: Target

        /// - Throws: `badRequest`.
        init(_ settings: HTTPProxy) throws {
            self.settings = settings
            do {
                target = try Target(settings.url, maxBytes: 1 << 10)
            } catch {
                throw HTTPTransportError(
                    .badRequest, url: settings.url, detail: "the proxy must be an http or https URL"
                )
            }
        }
    }

    enum Stop {
        case target
        case proxy
    }

    let target: Target
    let proxy: Proxy?
    /// Vetted. Empty where the proxy resolves the name.
    private(set) var addresses: [IPAddress]?
    private(set) var proxyAddresses: [IPAddress]?

    init(to target: Target, via proxy: Proxy?) {
        self.target = target
        self.proxy = proxy
        addresses = target.literalAddress.map { [$0] }
        if addresses == nil, proxy?.settings.naming == .atProxy { addresses = [] }
        proxyAddresses = proxy == nil ? [] : proxy?.target.literalAddress.map { [$0] }
    }

    /// Whose name is to be looked up next.
    var next: (stop: Stop, host: String)? {
        if addresses == nil { return (.target, target.host) }
        if proxyAddresses == nil, let proxy { return (.proxy, proxy.target.host) }
        return nil
    }

    mutating func resolved(_ stop: Stop, _ found: [IPAddress]) {
        switch stop {
        case .target: addresses = found
        case .proxy: proxyAddresses = found
        }
    }

    /// Where the socket leads: to the proxy, or to the target itself.
    var firstStop: (target: Target, addresses: [IPAddress]) {
        if let proxy { (proxy.target, proxyAddresses ?? []) } else { (target, addresses ?? []) }
    }

    /// The address that the proxy is asked for.
    var tunnelEnd: IPAddress? { proxy == nil ? nil : addresses?.first }
}
