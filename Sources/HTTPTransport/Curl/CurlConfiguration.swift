/// What all requests of one transport have in common.
public struct CurlConfiguration: Sendable {
    /// Says who asks, and how to reach them.
    public var userAgent: String
    /// Certificates to trust instead of the system's: a PEM file.
    public var caFile: String?
    /// Revocation lists: a PEM file with one of each issuer that is in use. With it, a chain whose
    /// lists aren't there is refused too.
    public var crlFile: String?
    /// Nil: connections go straight to their hosts, whatever the environment says.
    public var proxy: HTTPProxy?
    /// How many connections are kept for the next request…
    public var maxIdleConnections = 64
    /// …and for how long.
    public var maxIdle: Duration = .seconds(60)
    /// How many names are looked up at the same time.
    public var resolverThreads = 8
    /// How much of a body is kept for a reader that lags before the sender is stopped; up to as
    /// much again may already be on its way. Bytes are kept as they came, and decoded when they are
    /// read.
    public var bodyBufferBytes = 256 << 10

    public init(userAgent: String) {
        self.userAgent = userAgent
    }
}
