import HTTPTransport
import Synchronization

/// A web of a few URLs: answers by script, counts the requests.
final class FakeWeb: HTTPTransport {
    struct Page: Sendable {
        var status = 200
        /// Empty for none.
        var type = "text/html"
        var headers: [String: String] = [:]
        var body = ""
        /// Errors that come before the page does.
        var failures: [HTTPTransportError.Code] = []
        /// What a look at the head alone comes to, always.
        var headFailure: HTTPTransportError.Code?
    }

    private let pages: Mutex<[String: Page]>
    private let asked = Mutex<[String: [ContinuousClock.Instant]]>([:])
    private let unchanged = Mutex(0)
    private let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)
    private let allowance: Allowance?

    /// - Parameter perSecond: what it lets through; the rest is told to come back a second later.
    init(_ pages: [String: Page], perSecond: Int? = nil) {
        self.pages = Mutex(pages)
        allowance = perSecond.map { Allowance(perSecond: $0) }
    }

    /// Another version of a page from now on; nil for none.
    func put(_ url: String, _ page: Page?) { pages.withLock { $0[url] = page } }

    /// What happens elsewhere before anybody hears that a page is as it was.
    func beforeUnchanged(_ act: @escaping @Sendable () async throws -> Void) {
        meanwhile.withLock { $0 = act }
    }

    var notModified: Int { unchanged.withLock { $0 } }
    var refusals: Int { allowance?.refusals ?? 0 }
    var requests: [String: Int] { asked.withLock { $0.mapValues(\.count) } }
    /// When each request came.
    var times: [ContinuousClock.Instant] { asked.withLock { $0.values.flatMap { $0 } }.sorted() }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = "\(request.method.rawValue) \(request.url)"
        let count = asked.withLock { asked in
            asked[name, default: []].append(.now)
            return asked[name, default: []].count
        }
        if let allowance, !allowance.take() {
            return HTTPResponse(status: 429, headers: ["Retry-After": "1"], url: request.url)
        }
        guard let page = pages.withLock({ $0[request.url] }) else {
            return HTTPResponse(status: 404, url: request.url)
        }
        let failure =
            request.method == .head && page.headFailure != nil
            ? page.headFailure : count <= page.failures.count ? page.failures[count - 1] : nil
        if let failure {
            throw HTTPTransportError(failure, url: request.url, detail: "as the script says")
        }
        if let tag = page.headers["ETag"], request.headers["If-None-Match"] == tag {
            unchanged.withLock { $0 += 1 }
            try await meanwhile.withLock { $0 }?()
            return HTTPResponse(status: 304, url: request.url)
        }
        var headers = HTTPHeaders()
        if !page.type.isEmpty { headers.add("Content-Type", page.type) }
        for (name, value) in page.headers { headers.add(name, value) }
        return HTTPResponse(
            status: page.status, headers: headers, url: request.url,
            body: HTTPBody(Array(page.body.utf8)))
    }

    /// How many requests a second's window has left.
    private final class Allowance: Sendable {
        private let perSecond: Int
        private let window = Mutex(
            (start: ContinuousClock.now, taken: 0, refused: 0))

        init(perSecond: Int) { self.perSecond = perSecond }

        var refusals: Int { window.withLock { $0.refused } }

        func take() -> Bool {
            window.withLock { window in
                if window.start.duration(to: .now) >= .seconds(1) {
                    (window.start, window.taken) = (.now, 0)
                }
                window.taken += 1
                if window.taken > perSecond { window.refused += 1 }
                return window.taken <= perSecond
            }
        }
    }
}
