/// Why a string is not a URL. Only failures are told; what the standard calls a validation
/// error without failure passes in silence.
public struct WebURLError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Sendable, Codable {
        case relativeWithoutBase = "relative without a base"
        case baseCannotResolve = "relative to a base with an opaque path"
        case hostMissing = "host missing"
        case hostInvalid = "host has a forbidden character"
        case domainInvalid = "not a valid domain name"
        case ipv4Invalid = "not a valid IPv4 address"
        case ipv6Invalid = "not a valid IPv6 address"
        case portInvalid = "port is not a number below 65536"
        case tooLong = "too long"
    }

    public let reason: Reason

    public init(_ reason: Reason) {
        self.reason = reason
    }

    public var description: String { "invalid URL: \(reason.rawValue)" }
}
