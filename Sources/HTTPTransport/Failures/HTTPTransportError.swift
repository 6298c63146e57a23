/// Why a request came to no response, or a body to no end.
///
/// `description` is one line and safe to show: no userinfo, no query. `debugDescription` is for
/// whoever may see the URL.
public struct HTTPTransportError: Error, Sendable {
    public var code: Code
    /// Present exactly when the code is `tls`.
    public var tlsReason: TLSReason?
    public var url: String
    /// What happened, in words: from the transport, the operating system or libcurl.
    public var detail: String
    /// libcurl's number, where the failure came from there.
    public var curlCode: Int32?

    public init(
        _ code: Code, tlsReason: TLSReason? = nil, url: String, detail: String,
        curlCode: Int32? = nil
    ) {
        self.code = code
        self.tlsReason = tlsReason
        self.url = url
        self.detail = detail
        self.curlCode = curlCode
    }

    /// Whether the same request may well succeed later.
    public var isTransient: Bool { failureClass == .transient }

    public var failureClass: FailureClass {
        if code == .tls { return tlsReason == .handshake ? .transient : .permanent }
        return Code.transient.contains(code) ? .transient : .permanent
    }

    public enum FailureClass: String, Sendable, Hashable {
        /// Asking again gives the same answer until somebody changes something.
        case permanent
        /// Worth another attempt after a while.
        case transient
    }
}

extension HTTPTransportError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        let what = tlsReason.map { "\(code.rawValue)(\($0.rawValue))" } ?? code.rawValue
        return "\(what): \(detail.onOneLine) [\(url.redactedURL)]"
    }

    public var debugDescription: String {
        let number = curlCode.map { ", curl \($0)" } ?? ""
        let what = tlsReason.map { "\(code.rawValue)(\($0.rawValue))" } ?? code.rawValue
        return "HTTPTransportError \(what)\(number): \(detail) [\(url)]"
    }
}
