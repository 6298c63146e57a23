import TenureLibcurl

/// Where a URL leads, read by the parser that libcurl itself will use: a check that is made here
/// can't mean another host than the connection does.
struct Target: Sendable, Hashable {
    let scheme: String
    /// As it stands in the URL; IPv6 without brackets.
    let host: String
    let port: Int
    /// The URL without fragment.
    let url: String

    /// The address, if the host is one already.
    var literalAddress: IPAddress? { IPAddress(host) }

    /// - Throws: `badURL`.
    init(
        _ text: String, maxBytes: Int, schemes: [String] = ["http", "https"]
    ) throws {
        let url = String(text.prefix { $0 != "#" })
        func refuse(_ problem: String) -> HTTPTransportError {
            HTTPTransportError(.badURL, url: String(text.prefix(maxBytes)), detail: problem)
        }
        guard url.utf8.count <= maxBytes else { throw refuse("longer than \(maxBytes) bytes") }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw refuse("a space, backslash, control or non-ASCII character")
        }
        guard let parts = URLParts(url) else { throw refuse("not a URL") }
        guard let scheme = parts[CURLUPART_SCHEME], schemes.contains(scheme) else {
            throw refuse("neither \(schemes.joined(separator: " nor "))")
        }
        guard parts[CURLUPART_USER] == nil, parts[CURLUPART_PASSWORD] == nil else {
            throw refuse("userinfo in the URL")
        }
        guard let host = parts[CURLUPART_HOST], !host.isEmpty,
            let port = parts[CURLUPART_PORT].flatMap({ Int($0) })
        else { throw refuse("no host") }
        self.scheme = scheme
        self.host = host.first == "[" ? String(host.dropFirst().dropLast()) : host
        self.port = port
        self.url = url
    }
}

/// libcurl's URL parser.
private final class URLParts {
    private let handle: OpaquePointer

    init?(_ url: String) {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME)
        guard curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK else { return nil }
    }

    subscript(part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text
        else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    deinit {
        curl_url_cleanup(handle)
    }
}
