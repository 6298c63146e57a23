/// How much a request may take, in bytes and in time. What is over a limit ends the transfer.
public struct HTTPLimits: Sendable, Hashable {
    /// Of the URL, in bytes.
    public var urlBytes = 8 << 10
    /// Of all header lines of the response, interim responses and trailers included.
    public var headerBytes = 64 << 10
    /// From the start until the connection stands: name resolution, connect, TLS.
    public var connect: Duration = .seconds(10)
    /// From the sent request to the first byte of the answer.
    public var firstByte: Duration = .seconds(20)
    /// How long fewer than ``stallBytesPerSecond`` may come. Stands still while the reader lags.
    public var stall: Duration = .seconds(20)
    public var stallBytesPerSecond = 1 << 10
    /// From the start to the last byte of the body.
    public var total: Duration = .seconds(120)
    /// Of the body as it travels.
    public var wireBytes = 32 << 20
    /// Of the body as it is read.
    public var decodedBytes = 64 << 20
    /// How many times larger than on the wire a body may be once decoded…
    public var ratio = 200
    /// …as soon as it has come to this size.
    public var ratioAppliesAfterBytes = 1 << 20
    /// How many encodings may be wrapped around each other.
    public var encodings = 2

    public init() {}

    public static let article = HTTPLimits()

    /// For a whole file: half an hour, and as many bytes as the caller has room for.
    public static func file(maxBytes: Int) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.total = .seconds(30 * 60)
        limits.wireBytes = maxBytes
        limits.decodedBytes = maxBytes
        return limits
    }

    /// The stricter of both in every respect: a payload may lower limits, never raise them.
    public func lowered(by other: HTTPLimits) -> HTTPLimits {
        var limits = self
        limits.urlBytes = min(urlBytes, other.urlBytes)
        limits.headerBytes = min(headerBytes, other.headerBytes)
        limits.connect = min(connect, other.connect)
        limits.firstByte = min(firstByte, other.firstByte)
        limits.stall = min(stall, other.stall)
        limits.stallBytesPerSecond = max(stallBytesPerSecond, other.stallBytesPerSecond)
        limits.total = min(total, other.total)
        limits.wireBytes = min(wireBytes, other.wireBytes)
        limits.decodedBytes = min(decodedBytes, other.decodedBytes)
        limits.ratio = min(ratio, other.ratio)
        limits.ratioAppliesAfterBytes = min(ratioAppliesAfterBytes, other.ratioAppliesAfterBytes)
        limits.encodings = min(encodings, other.encodings)
        return limits
    }
}
