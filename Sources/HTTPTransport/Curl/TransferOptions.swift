import TenureLibcurl

/// The settings of a transfer, all in one place: what it asks, what libcurl must not do, and
/// where its connection may go.
extension EasyHandle {
    /// The most that is read from a socket at once.
    static let readBytes = 16 << 10

    func configure(
        _ plan: TransferPlan, _ configuration: CurlConfiguration, _ route: Route,
        connect: Duration
    ) {
        configureRequest(plan, configuration)
        forbidInitiative()
        trust(configuration)
        pass(route)
        set(CURLOPT_BUFFERSIZE, Self.readBytes)
        // Bounded: the process's own setting.
        set(CURLOPT_MAXAGE_CONN, Int(configuration.maxIdle.components.seconds))
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(1, connect / .milliseconds(1)), 1e9)))
        set(CURLOPT_RESOLVE, Self.pins(route.firstStop.target, route.firstStop.addresses))
    }

    private func configureRequest(_ plan: TransferPlan, _ configuration: CurlConfiguration) {
        let request = plan.request
        var lines = request.headers.fields.map {
            $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
        }
        let codings = request.decodesContent ? ContentCoding.accepted : "identity"
        lines.append("Accept-Encoding: \(codings)")
        set(CURLOPT_URL, plan.target.url)
        set(CURLOPT_PATH_AS_IS, true)
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, true)
        case .head: set(CURLOPT_NOBODY, true)
        case .post:
            set(CURLOPT_POST, true)
            setBody(request.body)
            // Nobody waits for leave to send it.
            lines.append("Expect:")
        }
        set(CURLOPT_HTTPHEADER, lines)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // libcurl decodes nothing: it would do so without a limit, on the event thread.
        set(CURLOPT_ACCEPT_ENCODING, nil as String?)
        set(CURLOPT_HTTP_CONTENT_DECODING, false)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    }

    /// Everything libcurl would do of its own accord, or because the environment says so.
    func forbidInitiative(_ protocols: String = "http,https") {
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_PROTOCOLS_STR, protocols)
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
        set(CURLOPT_HTTP09_ALLOWED, false)
    }

    /// By a tunnel to the vetted address, or with no proxy at all: never the environment's.
    func pass(_ route: Route) {
        guard let proxy = route.proxy else {
            set(CURLOPT_PROXY, "")
            set(CURLOPT_NOPROXY, "*")
            return
        }
        set(CURLOPT_PROXY, proxy.target.url)
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_PROXYAUTH, 1)  // Basic
        set(CURLOPT_PROXYUSERNAME, proxy.settings.user)
        set(CURLOPT_PROXYPASSWORD, proxy.settings.password)
        // The target's headers aren't the proxy's, nor the proxy's answer the target's.
        set(CURLOPT_HEADEROPT, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        guard let end = route.tunnelEnd else { return }
        set(CURLOPT_HTTPPROXYTUNNEL, true)
        set(CURLOPT_CONNECT_TO, ["::\(end.bracketed):\(route.target.port)"])
    }

    func trust(_ configuration: CurlConfiguration) {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let file = configuration.crlFile { set(CURLOPT_CRLFILE, file) }
        let settings = [
            (CURLOPT_CAINFO, CURLOPT_CAPATH), (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH),
        ]
        for (file, folder) in settings { trust(TrustStore(configuration), file, folder) }
    }

    private func trust(_ store: TrustStore, _ file: CURLoption, _ folder: CURLoption) {
        switch store {
        case .file(let path):
            set(file, path)
            set(folder, nil as String?)
        case .folder(let path):
            set(file, nil as String?)
            set(folder, path)
        case .builtIn:
            break
        }
    }

    /// The vetted addresses as entries of the name cache: libcurl finds them there and asks nobody.
    /// A host that is an address already needs none.
    static func pins(_ target: Target, _ addresses: [IPAddress]) -> [String] {
        guard target.literalAddress == nil else { return [] }
        let list = addresses.map(\.bracketed).joined(separator: ",")
        // libcurl drops a name's last dot in some places and not in others.
        let names =
            [target.host] + (target.host.hasSuffix(".") ? [String(target.host.dropLast())] : [])
        return names.map { "\($0):\(target.port):\(list)" }
    }
}

extension IPAddress {
    /// As it stands in an authority.
    fileprivate var bracketed: String {
        if case .v6 = self { "[\(self)]" } else { "\(self)" }
    }
}
