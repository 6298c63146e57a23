import HTTPTransport
import Synchronization

/// A web of a few URLs: answers by script, counts the requests.
final class FakeWeb: HTTPTransport {
    struct Page: Sendable {
        var status = 200
        var type = "text/html"
        var headers: [String: String] = [:]
        var body = ""
        /// Errors that come before the page does.
        var failures: [HTTPTransportError.Code] = []
    }

    private let pages: Mutex<[String: Page]>
    private let asked = Mutex<[String: Int]>([:])
    private let unchanged = Mutex(0)

    init(_ pages: [String: Page]) {
        self.pages = Mutex(pages)
    }

    /// Another version of a page from now on; nil for none.
    func put(_ url: String, _ page: Page?) { pages.withLock { $0[url] = page } }

    var notModified: Int { unchanged.withLock { $0 } }
    var requests: [String: Int] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = "\(request.method.rawValue) \(request.url)"
        let count = asked.withLock { asked in
            asked[name, default: 0] += 1
            return asked[name, default: 0]
        }
        guard let page = pages.withLock({ $0[request.url] }) else {
            return HTTPResponse(status: 404, url: request.url)
        }
        if count <= page.failures.count {
            throw HTTPTransportError(
                page.failures[count - 1], url: request.url, detail: "as the script says")
        }
        if let tag = page.headers["ETag"], request.headers["If-None-Match"] == tag {
            unchanged.withLock { $0 += 1 }
            return HTTPResponse(status: 304, url: request.url)
        }
        var headers = HTTPHeaders([.init(name: "Content-Type", value: page.type)])
        for (name, value) in page.headers { headers.add(name, value) }
        return HTTPResponse(
            status: page.status, headers: headers, url: request.url,
            body: HTTPBody(Array(page.body.utf8)))
    }
}
