/// Everything a thread needs to send a message.
struct MailPlan: Sendable {
    let mail: MailRequest
    /// Resolved, and vetted.
    let route: Route
    let configuration: CurlConfiguration
    let answer: FirstResult<MailAnswer>

    enum Encryption {
        /// From the first byte: smtps.
        case fromTheStart
        /// By STARTTLS, or there is no message.
        case required
        case none
    }

    var encryption: Encryption {
        if route.target.scheme == "smtps" { return .fromTheStart }
        return switch mail.encryption {
        case .required: .required
        case .unlessLocal: isLocal ? .none : .required
        case .none: .none
        }
    }

    /// Whether the connection ends on this machine, whatever the server is called: what a name
    /// says is the resolver's word, where the socket leads is not.
    private var isLocal: Bool {
        guard route.proxy == nil, let addresses = route.addresses, !addresses.isEmpty else {
            return false
        }
        return addresses.allSatisfy { $0.kind == .loopback }
    }

    /// - Throws: `badRequest` where a password would travel in the open.
    func checkLogin() throws {
        if mail.login != nil, encryption == .none, !isLocal {
            throw failure(.badRequest, "a password isn't sent in the open")
        }
    }

    func failure(
        _ code: HTTPTransportError.Code, _ detail: String,
        tlsReason: HTTPTransportError.TLSReason? = nil, curlCode: Int32? = nil
    ) -> HTTPTransportError {
        HTTPTransportError(
            code, tlsReason: tlsReason, url: route.target.url, detail: detail, curlCode: curlCode)
    }
}
