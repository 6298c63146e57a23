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
        /// Bodies that are documents of any kind, and not files.
        case articles
        case anything
        /// So many bytes at most, of whatever it is: what comes after them is no matter.
        case start(bytes: Int)
        case nothing
    }

    /// - Throws: only `CancellationError`.
    func get(
        _ url: WebURL, _ policy: RequestPolicy, wanted: Wanted, headers: HTTPHeaders = [:]
    ) async throws -> Visit {
        try await send(url, .get, policy, wanted, headers)
    }

    /// Asks for the head alone, or for the whole, cut off after it: for servers that refuse the
    /// other. Those that let go of the connection do so, too.
    func look(_ url: WebURL, _ policy: RequestPolicy, whole: Bool) async throws -> Visit {
        var visit = try await send(url, whole ? .get : .head, policy, .nothing, [:])
        let answered = visit.state == .ok || visit.state == .redirected
        let isClosed = visit.code == HTTPTransportError.Code.connectionClosed.rawValue
        let mayBeRefused = visit.status != nil || isClosed
        visit.wantsWhole = !whole && !answered && mayBeRefused && visit.failure != .deferred
        return visit
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
        let start = ContinuousClock.now
        let sentAt = HTTPDate.now
        do {
            let response = try await transport.send(request)
            var figures = RequestFigures(response, sentAt: sentAt)
            var visit = try await read(response, of: url, wanted)
            figures.timings = response.timings
            figures.timings.total = figures.timings.total ?? ContinuousClock.now - start
            figures.progress = response.body.progress
            visit.figures = figures
            return visit
        } catch let error as HTTPTransportError {
            try Task.checkCancellation()
            var visit = Visit.failed(error)
            visit.figures = RequestFigures(
                sentAt: sentAt, answeredAt: .now, timings: .only(total: .now - start))
            return visit
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
        let isChallenge = Self.isChallenge(response.headers)
        let failure =
            isChallenge
            ? .blocked : StatusRule.failure(response.status, hasRetryAfter: delay != nil)
        var visit = Visit(state: .ok, status: response.status)
        let mediaType = response.headers["Content-Type"].flatMap { MediaType($0) }
        visit.document = FetchedDocument(
            url: url, headers: response.headers, mediaType: mediaType, body: nil)
        if let failure {
            response.body.cancel()
            visit = .failed(
                isChallenge ? Suspicion.challenge.rawValue : String(response.status),
                "HTTP status \(response.status)", failure, status: response.status)
            visit.retryAfter = delay?.delay(from: .now)
            return visit
        }
        if case .start(let most) = wanted {
            visit.document?.body = try await Self.start(of: response.body, most)
        } else if Self.reads(mediaType, wanted) {
            visit.document?.body = try await response.body.collect(limit: .max)
        } else {
            response.body.cancel()
        }
        return visit
    }

    /// What can't be decoded ends it.
    private static func start(of body: HTTPBody, _ most: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk.prefix(most - bytes.count)
                if bytes.count == most { break }
            }
        } catch let error as HTTPTransportError where error.visitClass == .permanent {}
        body.cancel()
        return bytes
    }

    private static func reads(_ mediaType: MediaType?, _ wanted: Wanted) -> Bool {
        switch wanted {
        case .nothing, .start: false
        case .anything: true
        case .pages: mediaType.map { $0.isHTML || $0.essence == "text/css" } ?? true
        case .articles: mediaType.map(\.isDocument) ?? true
        }
    }

    /// Whether the answer is a question: who are you? (Cloudflare's and AWS's own words for it.)
    private static func isChallenge(_ headers: HTTPHeaders) -> Bool {
        headers["cf-mitigated"] == "challenge"
            || ["challenge", "captcha"].contains(headers["x-amzn-waf-action"] ?? "")
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

extension RequestFigures {
    init(_ response: HTTPResponse, sentAt: HTTPDate) {
        self.init(
            sentAt: sentAt, answeredAt: .now, timings: response.timings,
            address: response.remoteAddress.map { "\($0)" },
            version: response.httpVersion.rawValue)
    }
}

extension HTTPTimings {
    static func only(total: Duration) -> HTTPTimings {
        var timings = HTTPTimings()
        timings.total = total
        return timings
    }
}

extension MediaType {
    /// Whether it is something to read, rather than to look at, to hear or to unpack.
    var isDocument: Bool {
        essence.hasPrefix("text/") || essence.hasSuffix("+xml") || essence.hasSuffix("+json")
            || ["application/json", "application/pdf", "application/xml"].contains(essence)
    }
}
