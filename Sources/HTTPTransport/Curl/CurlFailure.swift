import TenureLibcurl
import TenureSystem

/// From libcurl's codes to ours. Time limits don't appear: the transfer's own clock is stricter.
extension Transfer {
    func curlFailure(_ code: CURLcode) -> HTTPTransportError {
        if let refusedSocket { return refusedSocket }
        let translated = proxyCode(code) ?? easy?.translated(code, hasHead: hasHead)
        let ours = hasUnfitConnection ? .refusedAddress : translated ?? .internalFailure
        let reason = ours == .tls ? easy?.tlsReason(code) : nil
        let detail =
            ours == .headersTooLarge
            ? "a line of its headers is too long" : easy?.explanation(of: code) ?? ""
        return plan.failure(ours, detail, tlsReason: reason, curlCode: Int32(code.rawValue))
    }

    /// What failed between us and the proxy, or between the proxy and the host; nil once the
    /// tunnel stands.
    private func proxyCode(_ code: CURLcode) -> HTTPTransportError.Code? {
        guard route.proxy != nil, !clock.isRequestOut, code != CURLE_OPERATION_TIMEDOUT else {
            return nil
        }
        return switch easy?.number(CURLINFO_HTTP_CONNECTCODE) ?? 0 {
        case 200..<300: nil
        case 502, 503: .connectFailed
        case 504: .connectTimeout
        default: .proxyFailed
        }
    }
}

extension EasyHandle {
    /// - Parameter hasHead: whether a response's head had come.
    func translated(_ code: CURLcode, hasHead: Bool) -> HTTPTransportError.Code {
        switch code {
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_COULDNT_RESOLVE_HOST: .dnsNotFound
        case CURLE_COULDNT_CONNECT: connectCode
        case CURLE_OPERATION_TIMEDOUT: .connectTimeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tls
        case CURLE_USE_SSL_FAILED: .noStartTLS
        case CURLE_ABORTED_BY_CALLBACK: .closed
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM,
            CURLE_PARTIAL_FILE:
            hasHead ? .truncated : .connectionClosed
        case CURLE_BAD_CONTENT_ENCODING: .badEncoding
        // A single header line that libcurl itself finds too long.
        case CURLE_OUT_OF_MEMORY where !hasHead: .headersTooLarge
        // The scheme was checked before; what is unsupported is HTTP/0.9.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_WRITE_ERROR, CURLE_UNSUPPORTED_PROTOCOL:
            .protocolError
        default: .internalFailure
        }
    }

    private var connectCode: HTTPTransportError.Code {
        switch Int32(number(CURLINFO_OS_ERRNO)) {
        case ECONNREFUSED: .connectRefused
        case ETIMEDOUT: .connectTimeout
        default: .connectFailed
        }
    }

    /// OpenSSL's verdict (its X509_V_ERR numbers), or libcurl's own about the name.
    func tlsReason(_ code: CURLcode) -> HTTPTransportError.TLSReason {
        guard code == CURLE_PEER_FAILED_VERIFICATION else { return .handshake }
        return switch number(CURLINFO_SSL_VERIFYRESULT) {
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        case 23: .revoked
        case 0, 1, 62: .wrongHost  // 1: OpenSSL was content, libcurl wasn't with the name
        default: .untrusted
        }
    }
}
