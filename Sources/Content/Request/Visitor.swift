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
        /// The same, and Markdown.
        case folderPages
        /// The same as pages, and XML, which may be a sitemap.
        case sitePages
        /// What is called as sitemaps are, of whatever type.
        case sitemaps
        /// Bodies that are documents of any kind, and not files.
        case articles
        case anything
        /// So many bytes at most, of whatever it is: what comes after them is no matter.
        case start(bytes: Int)
        /// The same of pages alone.
        case pageStart(bytes: Int)
        case nothing

        /// That of one's own folder: what reads it takes long for what is made to take long.
        fileprivate var takesMarkdown: Bool { if case .folderPages = self { true } else { false } }
        var takesSitemaps: Bool {
            switch self {
            case .sitePages, .sitemaps: true
            default: false
            }
        }
    }

    /// - Throws: only `CancellationError`.
    func get(
        _ url: WebURL, _ policy: RequestPolicy, wanted: Wanted, headers: HTTPHeaders = [:]
    ) async throws -> Visit {
        try await send(url, .get, policy, wanted, headers)
    }

    /// Asks for the head alone, or for the whole, cut off after it: for servers that refuse the
    /// other. Those that let go of the connection do so, too.
    func look(
        _ url: WebURL, _ policy: RequestPolicy, whole: Bool, headers: HTTPHeaders = [:]
    ) async throws -> Visit {
        var visit = try await send(url, whole ? .get : .head, policy, .nothing, headers)
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
        let start = ContinuousClock.now
        var (visit, response) = try await open(url, method, policy, headers)
        guard let response else { return visit }
        do {
            let type = visit.document?.mediaType
            visit.document?.body = try await Self.body(of: response, wanted, type)
        } catch let error as HTTPTransportError {
            return try Self.lost(error, visit.figures?.sentAt ?? .now, start)
        }
        visit.figures?.timings = response.timings
        visit.figures?.timings.total =
            response.timings.total ?? .now - start
        visit.figures?.progress = response.body.progress
        return visit
    }

    /// Asks, and says what the head of the answer came to.
    /// - Parameter accepted: a status that is an answer here.
    /// - Returns: the response as well, if its body is wanted.
    /// - Throws: only `CancellationError`.
    func open(
        _ url: WebURL, _ method: HTTPRequest.Method, _ policy: RequestPolicy,
        _ headers: HTTPHeaders, accepting accepted: Int? = nil, decodesContent: Bool = true
    ) async throws -> (visit: Visit, response: HTTPResponse?) {
        if let refused = Self.refusal(of: url) { return (refused, nil) }
        var headers = headers
        headers["User-Agent"] = policy.userAgent
        headers["Accept"] = headers["Accept"] ?? "*/*"
        let request = HTTPRequest(
            url: url.withoutFragment.href, method: method, headers: headers, limits: policy.limits,
            allowsAddresses: policy.addresses, decodesContent: decodesContent)
        let (start, sentAt) = (ContinuousClock.now, HTTPDate.now)
        do {
            let response = try await transport.send(request)
            var visit = Self.judge(response, of: url, accepting: accepted)
            visit.figures = RequestFigures(response, sentAt: sentAt)
            visit.figures?.timings.total = response.timings.total ?? .now - start
            guard visit.document != nil else {
                response.body.cancel()
                return (visit, nil)
            }
            return (visit, response)
        } catch let error as HTTPTransportError {
            return (try Self.lost(error, sentAt, start), nil)
        }
    }

    private static func lost(
        _ error: HTTPTransportError, _ sentAt: HTTPDate, _ start: ContinuousClock.Instant
    ) throws -> Visit {
        try Task.checkCancellation()
        var visit = Visit.failed(error)
        var timings = HTTPTimings()
        timings.total = .now - start
        visit.figures = RequestFigures(sentAt: sentAt, answeredAt: .now, timings: timings)
        return visit
    }

    /// What needs no request to be known: `.invalid` names nothing, ever (RFC 6761).
    private static func refusal(of url: WebURL) -> Visit? {
        guard url.isHTTP else { return .failed("badURL", "neither http nor https") }
        guard !url.hasCredentials else { return .failed("badURL", "userinfo in the URL") }
        let host = url.host ?? ""
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        guard name == "invalid" || name.hasSuffix(".invalid") else { return nil }
        return .failed("dnsNotFound", "\(name) can't exist")
    }

    private static func judge(
        _ response: HTTPResponse, of url: WebURL, accepting accepted: Int?
    ) -> Visit {
        let status = response.status
        if StatusRule.redirects.contains(status) { return redirect(response, from: url) }
        let delay = response.headers["Retry-After"].flatMap { RetryAfter($0) }
        let isChallenge = isChallenge(response.headers)
        let failure =
            isChallenge ? .blocked : StatusRule.failure(status, hasRetryAfter: delay != nil)
        if let failure, status != accepted {
            var visit = Visit.failed(
                isChallenge ? Suspicion.challenge.rawValue : String(status),
                "HTTP status \(status)", failure, status: status)
            visit.retryAfter = delay?.delay(from: .now)
            return visit
        }
        var visit = Visit(state: .ok, status: status)
        visit.document = FetchedDocument(
            url: url, headers: response.headers,
            mediaType: response.headers["Content-Type"].flatMap { MediaType($0) }, body: nil)
        return visit
    }

    /// Nil where nobody reads it.
    private static func body(
        of response: HTTPResponse, _ wanted: Wanted, _ mediaType: MediaType?
    ) async throws -> [UInt8]? {
        if case .start(let most) = wanted { return try await start(of: response.body, most) }
        if case .pageStart(let most) = wanted, mediaType?.isReadable ?? true {
            return try await start(of: response.body, most)
        }
        guard reads(mediaType, wanted) else {
            response.body.cancel()
            return nil
        }
        return try await response.body.collect(limit: .max)
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
        case .nothing, .start, .pageStart: false
        case .anything, .sitemaps: true
        case .pages, .folderPages, .sitePages:
            mediaType.map { type in
                type.isHTML || type.essence == "text/css"
                    || wanted.takesMarkdown && type.isMarkdown
                    || wanted.takesSitemaps && type.mayBeSitemap && !type.isGzip
            } ?? true
        case .articles: mediaType.map(\.isDocument) ?? true
        }
    }

    /// Whether the answer is a question: who are you? (Cloudflare's and AWS's own words for it.)
    private static func isChallenge(_ headers: HTTPHeaders) -> Bool {
        headers["cf-mitigated"] == "challenge"
            || ["challenge", "captcha"].contains(headers["x-amzn-waf-action"] ?? "")
    }

    private static func redirect(_ response: HTTPResponse, from url: WebURL) -> Visit {
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

extension MediaType {
    /// Whether something can be looked for in it.
    fileprivate var isReadable: Bool { isHTML || essence == "text/plain" }

    var isGzip: Bool { ["application/gzip", "application/x-gzip"].contains(essence) }

    /// XML, but for pictures; and what is packed.
    var mayBeSitemap: Bool {
        isGzip || ["text/xml", "application/xml"].contains(essence)
    }

    /// Whether it is something to read, rather than to look at, to hear or to unpack.
    var isDocument: Bool {
        essence.hasPrefix("text/") || essence.hasSuffix("+xml") || essence.hasSuffix("+json")
            || ["application/json", "application/pdf", "application/xml"].contains(essence)
    }
}
