import HTTPTransport

/// What a failure means for the next step: the class decides, not the code.
public enum FailureClass: String, Sendable, Codable {
    /// Asking again gives the same answer until somebody changes something.
    case permanent
    /// It won't talk to us. Never "broken".
    case blocked
    /// Worth another look after a pause.
    case transient
    /// The host asks for a pause; no attempt is charged.
    case deferred
}

/// What a status says, given whether it comes with a `Retry-After`.
enum StatusRule {
    static func failure(_ status: Int, hasRetryAfter: Bool) -> FailureClass? {
        switch status {
        case 200..<300, 304: nil
        case 401, 403, 407, 451, 999: .blocked
        case 429: .deferred
        case 503 where hasRetryAfter: .deferred
        case 408, 425, 500..<600: status == 501 || status == 505 ? .permanent : .transient
        default: .permanent
        }
    }

    static let redirects: Set<Int> = [301, 302, 303, 307, 308]
}

extension HTTPTransportError {
    var visitClass: Content.FailureClass { failureClass == .permanent ? .permanent : .transient }

    /// The code as findings show it: `tls(expired)`, `connectRefused`.
    var visitCode: String { tlsReason.map { "\(code.rawValue)(\($0.rawValue))" } ?? code.rawValue }
}
