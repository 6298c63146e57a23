import HTTPTransport
import Web

/// Who asks, and how much.
struct RequestPolicy: Sendable {
    var userAgent: String
    var limits: HTTPLimits
    var addresses: AddressPolicy
}

/// Makes single requests and says what they came to. Decides nothing beyond that.
struct Visitor: Sendable {
    let transport: any HTTPTransport

    enum Wanted: Sendable {
        /// Bodies that are parsed: HTML and CSS.
        case pages
        case anything
        case nothing
    }

    /// - Throws: only `CancellationError`.
    func get(
        _ url: WebURL, _ policy: RequestPolicy, wanted: Wanted, headers: HTTPHeaders = [:]
    ) async throws -> Visit {
        try await send(url, .get, policy, wanted, headers)
    }

    /// Asks for the head alone, and where a server refuses that, for the whole, cut off after it.
    func look(_ url: WebURL, _ policy: RequestPolicy) async throws -> Visit {
        let visit = try await send(url, .head, policy, .nothing, [:])
        let answered = visit.state == .ok || visit.state == .redirected
        guard !answered, visit.status != nil, visit.failure != .deferred else { return visit }
        return try await send(url, .get, policy, .nothing, [:])
    }

    private func send(
        _ url: WebURL, _ method: HTTPRequest.Method, _ policy: RequestPolicy, _ wanted: Wanted,
        _ headers: HTTPHeaders
    ) async throws -> Visit {
        if let refused = Self.refusal(of: url) { return refused }
        var headers = headers
        headers["User-Agent"] = policy.userAgent
        headers["Accept"] = headers["Accept"] ?? "*/*"
        let request = HTTPRequest(
            url: url.withoutFragment.href, method: method, headers: headers, limits: policy.limits,
            allowsAddresses: policy.addresses)
        do {
            return try await read(try await transport.send(request), of: url, wanted)
        } catch let error as HTTPTransportError {
            try Task.checkCancellation()
            return .failed(error)
        }
    }

    /// What needs no request to be known: `.invalid` names nothing, ever (RFC 6761).
    static func refusal(of url: WebURL) -> Visit? {
        guard url.isHTTP else { return .failed("badURL", "neither http nor https") }
        guard !url.hasCredentials else { return .failed("badURL", "userinfo in the URL") }
        let host = url.host ?? ""
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard name == "invalid" || name.hasSuffix(".invalid") else { return nil }
        return .failed("dnsNotFound", "\(name) can't exist")
    }

    private func read(
        _ response: HTTPResponse, of url: WebURL, _ wanted: Wanted
    ) async throws -> Visit {
        if StatusRule.redirects.contains(response.status) {
            response.body.cancel()
            return Self.redirect(response, from: url)
        }
        let delay = response.headers["Retry-After"].flatMap { RetryAfter($0) }
        let failure = StatusRule.failure(response.status, hasRetryAfter: delay != nil)
        var visit = Visit(state: .ok, status: response.status)
        let mediaType = response.headers["Content-Type"].flatMap { MediaType($0) }
        visit.document = FetchedDocument(
            url: url, headers: response.headers, mediaType: mediaType, body: nil)
        if let failure {
            response.body.cancel()
            visit = .failed(
                String(response.status), "HTTP status \(response.status)", failure,
                status: response.status)
            visit.retryAfter = delay?.delay(from: .now)
            return visit
        }
        if Self.reads(mediaType, wanted) {
            visit.document?.body = try await response.body.collect(limit: .max)
        } else {
            response.body.cancel()
        }
        return visit
    }

    private static func reads(_ mediaType: MediaType?, _ wanted: Wanted) -> Bool {
        switch wanted {
        case .nothing: false
        case .anything: true
        case .pages: mediaType.map { $0.isHTML || $0.essence == "text/css" } ?? false
        }
    }

    static func redirect(_ response: HTTPResponse, from url: WebURL) -> Visit {
        let status = response.status
        guard let location = response.headers["Location"] else {
            return .failed("badRedirect", "a redirect to nowhere", status: status)
        }
        guard let next = WebURL(location, base: url)?.withoutFragment, next.isHTTP else {
            return .failed(
                "badRedirect", "a redirect to \"\(location.prefix(200))\"", status: status)
        }
        guard !(url.scheme == "https" && next.scheme == "http") else {
            return .failed("insecureRedirect", "a redirect to \(next.href)", status: status)
        }
        var visit = Visit(state: .redirected, code: String(status), status: status)
        visit.next = next
        return visit
    }
}
