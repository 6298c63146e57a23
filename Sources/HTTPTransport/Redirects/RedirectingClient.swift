/// Follows redirects by hand: each hop is a request of its own, vetted like the first.
///
/// Never from https to http, never twice to the same URL, never with credentials to another
/// origin. The time limit `total` covers all hops together, but not the caller's checks.
public struct RedirectingClient: Sendable {
    /// Joins a `Location` to the URL it came from, by the rules of the URL parser; nil if it can't.
    public typealias Resolve = @Sendable (_ base: String, _ location: String) -> String?
    /// Asked before each request; throwing ends the fetch with that error.
    public typealias Check = @Sendable (RedirectHop) async throws -> Void

    /// Headers that tell who asks: dropped when a redirect leads to another origin.
    public static let credentials = ["Authorization", "Cookie", "Proxy-Authorization"]

    private let transport: any HTTPTransport
    private let maxRedirects: Int
    private let resolve: Resolve

    public init(
        transport: any HTTPTransport, maxRedirects: Int = 10, resolve: @escaping Resolve
    ) {
        self.transport = transport
        self.maxRedirects = maxRedirects
        self.resolve = resolve
    }

    /// - Throws: ``HTTPTransportError`` with the redirects so far, what `check` throws, or
    ///   `CancellationError`.
    public func fetch(
        _ request: HTTPRequest, check: Check = { _ in }
    ) async throws -> RedirectedResponse {
        var trail = RedirectTrail(try Target(request.url, maxBytes: request.limits.urlBytes))
        var request = request
        while true {
            try await check(trail.hop)
            let start = ContinuousClock.now
            do {
                let response = try await transport.send(request)
                guard let location = response.redirectLocation else {
                    return RedirectedResponse(response: response, redirects: trail.redirects)
                }
                response.body.cancel()
                try follow(location, status: response.status, &trail, &request)
            } catch var error as HTTPTransportError {
                error.redirects = trail.redirects
                throw error
            }
            request.limits.total -= ContinuousClock.now - start
        }
    }

    private func follow(
        _ location: String, status: Int, _ trail: inout RedirectTrail, _ request: inout HTTPRequest
    ) throws {
        guard trail.redirects.count < maxRedirects else {
            throw HTTPTransportError(
                .tooManyRedirects, url: trail.current.url, detail: "more than \(maxRedirects)")
        }
        guard let joined = resolve(trail.current.url, location),
            // Reason for `try?`: the error below says more, with the place that the redirect names.
            let next = try? Target(joined, maxBytes: request.limits.urlBytes)
        else {
            throw HTTPTransportError(
                .badRedirect, url: trail.current.url,
                detail: "to '\(location.redactedURL.prefix(200))'")
        }
        let leavesOrigin = !next.isSameOrigin(as: trail.current)
        try trail.follow(to: next, status: status)
        request.url = next.url
        guard leavesOrigin else { return }
        for name in Self.credentials { request.headers.remove(name) }
    }
}

extension HTTPResponse {
    /// Where a redirect leads; nil for any other response.
    fileprivate var redirectLocation: String? {
        [301, 302, 303, 307, 308].contains(status) ? headers["Location"] : nil
    }
}
