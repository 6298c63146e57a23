import TenureLibcurl

/// The settings of a transfer, all in one place: what it asks, what libcurl must not do, and
/// where its connection may go.
extension EasyHandle {
    /// The most that is read from a socket at once.
    static let readBytes = 16 << 10

    func configure(
        _ plan: TransferPlan, _ configuration: CurlConfiguration, pinned: [IPAddress],
        connect: Duration
    ) {
        configureRequest(plan, configuration)
        forbidInitiative()
        trust(configuration)
        set(CURLOPT_BUFFERSIZE, Self.readBytes)
        set(CURLOPT_MAXAGE_CONN, Int(configuration.maxIdle.components.seconds))
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(connect / .milliseconds(1))))
        set(CURLOPT_RESOLVE, Self.pins(plan.target, pinned))
    }

    private func configureRequest(_ plan: TransferPlan, _ configuration: CurlConfiguration) {
        let request = plan.request
        var lines = request.headers.fields.map {
            $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
        }
        if !request.decodesContent { lines.append("Accept-Encoding: identity") }
        set(CURLOPT_URL, plan.target.url)
        set(CURLOPT_PATH_AS_IS, true)
        set(request.method == .head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, true)
        set(CURLOPT_HTTPHEADER, lines)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Empty: every encoding this libcurl can decode. None: nothing is decoded.
        set(CURLOPT_ACCEPT_ENCODING, request.decodesContent ? "" : nil)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    }

    /// Everything libcurl would do of its own accord, or because the environment says so.
    private func forbidInitiative() {
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
        set(CURLOPT_HTTP09_ALLOWED, false)
    }

    private func trust(_ configuration: CurlConfiguration) {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        switch TrustStore(configuration) {
        case .file(let path):
            set(CURLOPT_CAINFO, path)
            set(CURLOPT_CAPATH, nil as String?)
        case .folder(let path):
            set(CURLOPT_CAINFO, nil as String?)
            set(CURLOPT_CAPATH, path)
        case .builtIn:
            break
        }
    }

    /// The vetted addresses as entries of the name cache: libcurl finds them there and asks nobody.
    /// A host that is an address already needs none.
    private static func pins(_ target: Target, _ addresses: [IPAddress]) -> [String] {
        guard target.literalAddress == nil else { return [] }
        let list = addresses.map { address in
            if case .v6 = address { "[\(address)]" } else { "\(address)" }
        }.joined(separator: ",")
        // libcurl drops a name's last dot in some places and not in others.
        let names =
            [target.host] + (target.host.hasSuffix(".") ? [String(target.host.dropLast())] : [])
        return names.map { "\($0):\(target.port):\(list)" }
    }
}
