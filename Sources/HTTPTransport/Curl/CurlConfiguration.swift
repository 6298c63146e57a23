/// What all requests of one transport have in common.
public struct CurlConfiguration: Sendable {
    /// Says who asks, and how to reach them.
    public var userAgent: String
    /// Certificates to trust instead of the system's: a PEM file.
    public var caFile: String?
    /// How many connections are kept for the next request…
    public var maxIdleConnections = 64
    /// …and for how long.
    public var maxIdle: Duration = .seconds(60)
    /// How many names are looked up at the same time.
    public var resolverThreads = 8
    /// How much of a body is kept for a reader that lags before the sender is stopped; up to as
    /// much again may already be on its way. Of an encoded body it may be what 1.6 MB decode to,
    /// within the request's limits.
    public var bodyBufferBytes = 256 << 10

    public init(userAgent: String) {
        self.userAgent = userAgent
    }
}
