import HTTPTransport
import Web

/// One request for a file, or for what is still missing of it.
struct FileRequest: Sendable {
    let transport: any HTTPTransport
    /// The rest of this is wanted; nil for the whole.
    let rest: Download?
    /// What is there already, if the whole is wanted only where it has changed.
    let known: ReadFile.Row?

    /// - Returns: what it came to, and the response if its body is wanted.
    /// - Throws: only `CancellationError`.
    func send(
        _ url: WebURL, _ policy: RequestPolicy
    ) async throws -> (visit: Visit, response: HTTPResponse?) {
        if let refused = Visitor.refusal(of: url) { return (refused, nil) }
        var headers = conditions
        headers["User-Agent"] = policy.userAgent
        headers["Accept"] = "*/*"
        let request = HTTPRequest(
            url: url.withoutFragment.href, headers: headers, limits: policy.limits,
            allowsAddresses: policy.addresses, decodesContent: false)
        let start = ContinuousClock.now
        let sentAt = HTTPDate.now
        do {
            let response = try await transport.send(request)
            var visit = judge(response, of: url)
            visit.figures = RequestFigures(response, sentAt: sentAt)
            visit.figures?.timings.total = .now - start
            guard visit.document != nil else {
                response.body.cancel()
                return (visit, nil)
            }
            return (visit, response)
        } catch let error as HTTPTransportError {
            try Task.checkCancellation()
            var visit = Visit.failed(error)
            visit.figures = RequestFigures(
                sentAt: sentAt, answeredAt: .now, timings: .only(total: .now - start))
            return (visit, nil)
        }
    }

    private var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        if let rest, let validator = rest.validator {
            headers["Range"] = "bytes=\(rest.received)-"
            headers["If-Range"] = validator
        } else if let known {
            headers["If-None-Match"] = known.etag
            headers["If-Modified-Since"] = known.lastModified
        }
        return headers
    }

    private func judge(_ response: HTTPResponse, of url: WebURL) -> Visit {
        let status = response.status
        if StatusRule.redirects.contains(status) { return Visitor.redirect(response, from: url) }
        let delay = response.headers["Retry-After"].flatMap { RetryAfter($0) }
        let failure = StatusRule.failure(status, hasRetryAfter: delay != nil)
        if let failure, status != 416 || rest == nil {
            var visit = Visit.failed(
                String(status), "HTTP status \(status)", failure, status: status)
            visit.retryAfter = delay?.delay(from: .now)
            return visit
        }
        var visit = Visit(state: .ok, status: status)
        let mediaType = response.headers["Content-Type"].flatMap { MediaType($0) }
        visit.document = FetchedDocument(
            url: url, headers: response.headers, mediaType: mediaType, body: nil)
        return visit
    }
}
