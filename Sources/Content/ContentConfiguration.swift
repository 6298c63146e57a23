public import HTTPTransport

/// How content is fetched, by every worker of this process. A run may lower the limits, never
/// raise them.
public struct ContentConfiguration: Sendable {
    /// The product token: in the User-Agent, and what robots.txt files call us.
    public static let productToken = "Tenure"
    static let version = "0.1"

    /// Who answers for the requests: a URL or an address that the owner of a foreign host can
    /// turn to. Without it no foreign host is crawled.
    public var contact: String?
    public var limits = HTTPLimits.article
    /// Of one attempt at a file. What it brought stays, and the next attempt goes on from there.
    public var fileLimits = HTTPLimits.file(maxBytes: .max)
    /// Blocks of addresses that may be reached although they aren't public.
    public var allowedAddresses: [CIDR] = []
    /// What a foreign host is asked at most, over all workers.
    public var requestsPerHost = 2
    public var hostInterval: Duration = .seconds(1)

    public init() {}

    /// Lets blocks of addresses, such as `10.0.0.0/8`, be reached although they aren't public.
    /// - Throws: `ContentError` with `.badOption` for what is no block.
    public mutating func allow(_ blocks: [String]) throws {
        allowedAddresses += try SiteCheckOptions.blocks(blocks)
    }

    static func userAgent(contact: String?) -> String {
        let plain = (contact ?? "").unicodeScalars.filter { $0.isASCII && $0.value > 0x1F }
        let suffix = plain.isEmpty ? "" : " (+\(String(String.UnicodeScalarView(plain))))"
        return "\(productToken)/\(version)\(suffix)"
    }
}
