extension HTTPTransportError {
    /// Open: a later version may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Not an http or https URL, or with userinfo, or too long.
        public static let badURL = Code(rawValue: "badURL")
        /// A header that can't be sent, or that is the transport's own.
        public static let badRequest = Code(rawValue: "badRequest")
        /// The name leads to an address that the policy doesn't allow.
        public static let refusedAddress = Code(rawValue: "refusedAddress")
        /// The name doesn't exist, or has no address.
        public static let dnsNotFound = Code(rawValue: "dnsNotFound")
        /// The resolver failed, or didn't answer in time.
        public static let dnsTemporary = Code(rawValue: "dnsTemporary")
        public static let connectRefused = Code(rawValue: "connectRefused")
        public static let connectTimeout = Code(rawValue: "connectTimeout")
        /// No way to the host: unreachable, or reset while connecting.
        public static let connectFailed = Code(rawValue: "connectFailed")
        /// The proxy couldn't be reached, or refused: says nothing about the host.
        public static let proxyFailed = Code(rawValue: "proxyFailed")
        /// See ``HTTPTransportError/tlsReason``.
        public static let tls = Code(rawValue: "tls")
        /// A mail server doesn't encrypt the connection, and the message may not travel without.
        public static let noStartTLS = Code(rawValue: "noStartTLS")
        public static let timeoutFirstByte = Code(rawValue: "timeoutFirstByte")
        /// Too few bytes for too long.
        public static let stalled = Code(rawValue: "stalled")
        public static let totalTimeout = Code(rawValue: "totalTimeout")
        /// The peer closed before the response's head was there.
        public static let connectionClosed = Code(rawValue: "connectionClosed")
        /// The peer closed before the body was complete.
        public static let truncated = Code(rawValue: "truncated")
        public static let headersTooLarge = Code(rawValue: "headersTooLarge")
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The body grew too much when it was decoded.
        public static let bombRatio = Code(rawValue: "bombRatio")
        /// An unknown or broken content encoding, or too many of them.
        public static let badEncoding = Code(rawValue: "badEncoding")
        /// What came back isn't HTTP.
        public static let protocolError = Code(rawValue: "protocolError")
        /// The transport is shut down, or the body was cancelled by its owner.
        public static let closed = Code(rawValue: "closed")
        /// libcurl failed in a way that says nothing about the peer.
        public static let internalFailure = Code(rawValue: "internalFailure")

        static let transient: Set<Code> = [
            .dnsNotFound, .dnsTemporary, .connectRefused, .connectTimeout, .connectFailed,
            .proxyFailed,
            .timeoutFirstByte, .stalled, .totalTimeout, .connectionClosed, .truncated,
            .protocolError, .closed, .internalFailure,
        ]
    }

    public enum TLSReason: String, Sendable, Hashable {
        case expired
        case notYetValid
        /// The server's certificate is its own issuer.
        case selfSigned
        /// The chain ends at nobody we trust.
        case untrusted
        /// A revocation list names the certificate.
        case revoked
        /// The certificate is for another name.
        case wrongHost
        /// No certificate was judged: protocol versions, ciphers, a peer that speaks no TLS.
        case handshake
    }
}
