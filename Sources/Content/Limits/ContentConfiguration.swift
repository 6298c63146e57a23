public import HTTPTransport
import TenureFoundation
import Web

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
    /// Blocks of addresses at which a checked site may be as well, if its check names them; nothing
    /// else may be reached there, whatever the site refers to.
    public private(set) var siteAddresses: [CIDR] = []
    /// What a foreign host is asked at most, over all workers.
    public var requestsPerHost = 2
    public var hostInterval: Duration = .seconds(1)
    /// An item that changes is left to come to rest for so long, twelve times that at most, before
    /// what follows from its change is seen to.
    public var changePause: Duration = .seconds(5)
    /// Rows of each sort of finding, one for each place, that a worker holds when a check ends. Of
    /// one that found more, the first findings are kept and told of, with as many places as there
    /// is room for; what else there is counts, where it is counted, and makes nothing count as
    /// mended.
    public var heldFindings = 50_000
    /// How long what was seen is kept.
    public var retention = ContentRetention()
    /// Where the secrets of channels are.
    public var secrets = ChannelSecrets()
    /// Who is asked where domains' mail goes, instead of the system's name servers.
    package var nameServer: MailDomains.Server?
    /// The proxy that every request goes through; nil for none, whatever the environment says.
    public private(set) var proxy: HTTPProxy?
    /// Revocation lists, a PEM file with one of each issuer that is in use.
    public private(set) var crlFile: String?

    public init() {}

    /// Who turns the names of hosts into addresses, where a proxy is in between.
    public enum ProxyNaming: String, Sendable, CaseIterable {
        /// We do, and vet them.
        case here
        /// The proxy does, where this machine can't: which may be reached is its to say.
        case proxy
    }

    /// Sends every request through a proxy: `http://user:password@host:port`, or `https://` where
    /// the way there is encrypted too.
    /// - Throws: `ContentError` with `.badOption`, without the password.
    public mutating func usesProxy(_ text: String, naming: ProxyNaming = .here) throws {
        guard let url = WebURL(text), url.isHTTP, url.path == "/", url.query == nil,
            url.fragment == nil
        else {
            throw ContentError(
                .badOption,
                "\"\(URLRedaction.text(text))\" is no proxy; give http://host:port, or https://, "
                    + "with user:password@ where it asks for them")
        }
        let port = url.effectivePort.map { ":\($0)" } ?? ""
        proxy = HTTPProxy(
            "\(url.scheme)://\(url.host ?? "")\(port)",
            user: url.username.isEmpty ? nil : url.username[...].percentDecoded,
            password: url.password.isEmpty ? nil : url.password[...].percentDecoded,
            naming: naming == .here ? .here : .atProxy)
    }

    /// Refuses certificates that these lists name, and chains whose lists aren't there.
    /// - Throws: `ContentError` with `.badOption` for a file that has none.
    public mutating func usesRevocationLists(_ path: String) throws {
        // Reason for `try?`: whatever keeps it from being read, the message says what is needed.
        let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8)
        guard let text, text.contains("-----BEGIN X509 CRL-----") else {
            throw ContentError(
                .badOption,
                "\(path) can't be read as revocation lists; give a PEM file with "
                    + "one list of each issuer in use")
        }
        crlFile = path
    }

    /// Lets blocks of addresses, such as `10.0.0.0/8`, be reached although they aren't public.
    /// - Throws: `ContentError` with `.badOption` for what is no block.
    public mutating func allow(_ blocks: [String]) throws {
        allowedAddresses += try Self.blocks(blocks)
    }

    static func blocks(_ texts: [String]) throws -> [CIDR] {
        do {
            return try texts.map { try CIDR($0) }
        } catch {
            throw ContentError(.badOption, "\(error)")
        }
    }

    private static let longestContact = 500

    /// Lets sites that are checked be at these blocks of addresses, too, and nothing else.
    /// - Throws: `ContentError` with `.badOption` for what is no block.
    public mutating func allowSites(_ blocks: [String]) throws {
        siteAddresses += try Self.blocks(blocks)
    }

    /// Whoever runs the worker answers for its requests, whatever a check says; who checks is named
    /// beside.
    /// - Parameter name: what a check's rules say; it stands before our own name.
    func userAgent(for check: String?, as name: String? = nil) -> String {
        let names = [contact, check].compactMap { $0 }.filter { !$0.isEmpty }
        let isSame = names.count == 2 && names[0] == names[1]
        let own = Self.userAgent(contact: (isSame ? [names[0]] : names).joined(separator: "; "))
        return name.map { "\($0) \(own)" } ?? own
    }

    static func userAgent(contact: String?) -> String {
        let plain = (contact ?? "").unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
        let short = String(String.UnicodeScalarView(plain.prefix(longestContact)))
        let suffix = short.isEmpty ? "" : " (+\(short))"
        return "\(productToken)/\(version)\(suffix)"
    }
}
