import HTTPTransport
import Web

/// A URL that somebody gave, if it is one that may be fetched.
enum CheckableURL {
    /// In bytes.
    static let longest = 8 << 10

    /// - Throws: `ContentError` with `.refusedURL`, one line.
    static func parse(_ text: String) throws -> WebURL {
        func refused(_ why: String) -> ContentError {
            ContentError(
                .refusedURL, "\(URLRedaction.text(text.storable).prefix(200)): \(why)")
        }
        // A browser would read a backslash as a slash; who writes one here means something else.
        guard !text.contains("\\") else { throw refused("a backslash in the URL") }
        let url: WebURL
        do {
            url = try WebURL.parse(text)
        } catch {
            throw refused("\(error); give http://… or https://…")
        }
        guard url.isHTTP else { throw refused("only http and https URLs are fetched") }
        guard !url.hasCredentials else { throw refused("user or password in the URL") }
        guard url.href.utf8.count <= longest else {
            throw refused("longer than \(longest) bytes")
        }
        return url.withoutFragment
    }

    /// Whether a URL names an address that isn't everybody's and that the operator has allowed.
    /// - Throws: `ContentError` with `.refusedURL` for one that isn't allowed.
    static func isOwn(_ url: WebURL, allowed: [String]) throws -> Bool {
        guard let address = address(in: url), address.kind != .global else { return false }
        let policy = AddressPolicy(allowed: try ContentConfiguration.blocks(allowed))
        guard policy.permits(address) else {
            throw ContentError(
                .refusedURL,
                "\(URLRedaction.text(url.href)): \(address) is a "
                    + "\(address.kind.rawValue) address; to allow it, set "
                    + "TENURE_CONTENT_ALLOW=\(address) (tenure check takes --allow, too)")
        }
        return true
    }

    /// The same by a worker's own policy.
    static func isAtOwnAddress(_ url: WebURL, _ policy: AddressPolicy) -> Bool {
        guard let address = address(in: url) else { return false }
        return address.kind != .global && policy.permits(address)
    }

    private static func address(in url: WebURL) -> IPAddress? {
        let host = url.host ?? ""
        let isLocal = host == "localhost" || host.hasSuffix(".localhost")
        return IPAddress(
            isLocal ? "127.0.0.1" : String(host.drop { $0 == "[" }.prefix { $0 != "]" }))
    }
}
