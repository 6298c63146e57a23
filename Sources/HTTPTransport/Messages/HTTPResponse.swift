/// A response whose head has arrived. Its body is still on the way: read it, or drop it.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// The URL that was asked for, without fragment.
    public var url: String
    /// The address that answered.
    public var remoteAddress: IPAddress?
    public var httpVersion: HTTPVersion
    /// Dropping the last copy of the response closes a connection that still sends it.
    public var body: HTTPBody

    /// How long it took up to now; ``HTTPTimings/total`` is there once the body has ended.
    public var timings: HTTPTimings { body.timings }

    public init(
        status: Int, headers: HTTPHeaders = [:], url: String, remoteAddress: IPAddress? = nil,
        httpVersion: HTTPVersion = .http11, body: HTTPBody = HTTPBody([])
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.remoteAddress = remoteAddress
        self.httpVersion = httpVersion
        self.body = body
    }
}

public enum HTTPVersion: String, Sendable, Hashable {
    case http10 = "1.0"
    case http11 = "1.1"
    case http2 = "2"
    case http3 = "3"
}

/// How long each step took; a step that didn't happen (a reused connection) took no time.
public struct HTTPTimings: Sendable, Hashable {
    public var dns: Duration = .zero
    public var connect: Duration = .zero
    public var tls: Duration = .zero
    /// From the sent request to the first byte of the answer.
    public var firstByte: Duration = .zero
    /// From the start to the last byte; nil while the body is still coming.
    public var total: Duration?

    public init() {}
}
