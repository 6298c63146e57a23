/// One redirect that was followed.
public struct Redirect: Sendable, Hashable {
    public var status: Int
    public var from: String
    public var to: String

    /// Whether the server says that the new URL is to be used from now on.
    public var isPermanent: Bool { status == 301 || status == 308 }

    public init(status: Int, from: String, to: String) {
        self.status = status
        self.from = from
        self.to = to
    }
}

/// A request that is about to be made, the first (`index` 0) or one that a redirect leads to.
public struct RedirectHop: Sendable, Hashable {
    public var index: Int
    public var url: String
    /// Where the redirect came from; nil for the first.
    public var from: String?
}

public struct RedirectedResponse: Sendable {
    /// The answer that is no redirect.
    public var response: HTTPResponse
    public var redirects: [Redirect]
}
