import Synchronization
import TenureSystem

/// ``HTTPTransport`` on libcurl: one event thread owns every connection.
///
/// Addresses are vetted before curl hears of them and again at each socket; curl resolves no
/// names, follows no redirects, uses no proxy, cookies or credentials of its own accord. When the
/// last reference to the transport and to its responses is gone, the thread ends.
public final class CurlTransport: HTTPTransport {
    private let thread: EventThread
    private let nextID = Atomic<UInt64>(0)

    /// - Throws: `badRequest` if the user agent or the CA file can't be used.
    public convenience init(_ configuration: CurlConfiguration) throws {
        try self.init(
            configuration,
            resolver: CachingResolver(SystemResolver(threads: configuration.resolverThreads)))
    }

    package init(_ configuration: CurlConfiguration, resolver: any HostResolver) throws {
        try configuration.validate()
        thread = try EventThread(configuration, resolver: resolver)
        thread.start()
    }

    deinit {
        thread.close()
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let start = ContinuousClock.now
        let target = try Target(request.url, maxBytes: request.limits.urlBytes)
        try request.validateHeaders()
        let handle = TransferHandle(
            id: nextID.wrappingAdd(1, ordering: .relaxed).newValue, url: target.url,
            capacity: thread.configuration.bodyBufferBytes, thread: thread, owner: self)
        // The body gives the transfer up when it is dropped, so it has to exist before anything
        // can.
        let body = HTTPBody(source: handle)
        thread.post(
            .start(TransferPlan(request: request, target: target, start: start, handle: handle)))
        let arrived = try await handle.head()
        return HTTPResponse(
            status: arrived.head.status, headers: arrived.head.headers, url: target.url,
            remoteAddress: arrived.remoteAddress, httpVersion: arrived.head.version,
            body: request.decoded(body, arrived.head))
    }

    /// Closes every connection and ends the thread; what is under way fails with `closed`.
    public func shutdown() async {
        thread.close()
        await thread.closed()
    }
}

extension CurlConfiguration {
    func validate() throws {
        let agent = HTTPHeaders.Field(name: "User-Agent", value: userAgent)
        guard !userAgent.isEmpty, agent.isSendable else {
            throw HTTPTransportError(
                .badRequest, url: "", detail: "the user agent must be one line that isn't empty")
        }
        for file in [caFile, crlFile] {
            if let file, access(file, R_OK) != 0 {
                throw HTTPTransportError(.badRequest, url: "", detail: "\(file) can't be read")
            }
        }
    }
}

extension HTTPRequest {
    /// The body as its reader gets it.
    fileprivate func decoded(_ body: HTTPBody, _ head: ResponseHead) -> HTTPBody {
        let codings = head.codings
        guard decodesContent, !codings.isEmpty else { return body }
        return HTTPBody(source: DecodedBody(body, codings: codings, limits: limits))
    }

    /// Headers that say how a message is framed or coded are not the caller's.
    private static let reserved = [
        "Host", "Accept-Encoding", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade",
        "TE", "Trailer", "Expect", "Keep-Alive", "HTTP2-Settings", "Proxy-Connection",
    ]

    fileprivate func validateHeaders() throws {
        for field in headers.fields {
            guard field.isSendable else {
                throw HTTPTransportError(
                    .badRequest, url: url, detail: "the header '\(field.name)' can't be sent")
            }
            guard !Self.reserved.contains(where: field.isNamed) else {
                throw HTTPTransportError(
                    .badRequest, url: url, detail: "'\(field.name)' is the transport's to send")
            }
        }
    }
}
