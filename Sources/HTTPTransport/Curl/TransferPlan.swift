/// Everything the event thread needs to begin a transfer.
struct TransferPlan: Sendable {
    let request: HTTPRequest
    let target: Target
    let start: ContinuousClock.Instant
    let handle: TransferHandle

    var id: UInt64 { handle.id }

    func failure(
        _ code: HTTPTransportError.Code, _ detail: String,
        tlsReason: HTTPTransportError.TLSReason? = nil, curlCode: Int32? = nil
    ) -> HTTPTransportError {
        HTTPTransportError(
            code, tlsReason: tlsReason, url: target.url, detail: detail, curlCode: curlCode)
    }

    func refusal(of address: IPAddress) -> HTTPTransportError? {
        request.allowsAddresses.refusal(of: address).map { kind in
            let name = target.literalAddress == nil ? "\(target.host) is " : ""
            return failure(.refusedAddress, "\(name)\(address) (\(kind.rawValue))")
        }
    }
}
