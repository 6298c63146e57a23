/// One request for one URL: what to ask for, how much of it, and where it may lead.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    /// An http or https URL as the URL parser wrote it (its href). A fragment is not sent.
    public var url: String
    public var method: Method
    /// Sent as they stand. `Host`, `Accept-Encoding` and the framing headers are the transport's.
    public var headers: HTTPHeaders
    public var limits: HTTPLimits
    /// Which addresses this request may reach; asked for every one of them.
    public var allowsAddresses: AddressPolicy
    /// Whether compressed bodies are asked for and decoded. Without, bytes arrive as the server
    /// stores them, which is what ranges and strong validators speak about.
    public var decodesContent: Bool
    /// What a POST sends. A lost connection may send it twice: the receiver has to know it again.
    public var body: [UInt8] = []

    public init(
        url: String, method: Method = .get, headers: HTTPHeaders = [:],
        limits: HTTPLimits = .article, allowsAddresses: AddressPolicy = .publicOnly,
        decodesContent: Bool = true
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.limits = limits
        self.allowsAddresses = allowsAddresses
        self.decodesContent = decodesContent
    }
}
