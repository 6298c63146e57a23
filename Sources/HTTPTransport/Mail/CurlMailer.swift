import TenureSystem

/// ``MailTransport`` on libcurl, with a thread and a connection for each message.
///
/// libcurl waits for a server's last replies without returning to whoever called it: on the event
/// thread of ``CurlTransport`` a mail server that is slow would hold up every fetch.
/// Addresses are vetted as there, before libcurl hears of them and again at the socket.
public final class CurlMailer: MailTransport {
    private let configuration: CurlConfiguration
    private let resolver: any HostResolver
    private let proxy: Route.Proxy?

    /// - Throws: `badRequest` if the proxy or the CA file can't be used.
    public convenience init(_ configuration: CurlConfiguration) throws {
        try self.init(
            configuration,
            resolver: CachingResolver(SystemResolver(threads: configuration.resolverThreads)))
    }

    package init(_ configuration: CurlConfiguration, resolver: any HostResolver) throws {
        try configuration.validate()
        try EventThread.initialise()
        self.configuration = configuration
        self.resolver = resolver
        proxy = try configuration.proxy.map { try Route.Proxy($0) }
    }

    deinit {
        resolver.close()
    }

    public func send(_ mail: MailRequest) async throws -> MailAnswer {
        try Task.checkCancellation()
        let start = ContinuousClock.now
        let target = try Target(
            mail.server, maxBytes: mail.limits.urlBytes, schemes: ["smtp", "smtps"])
        try mail.validate(target)
        let plan = MailPlan(
            mail: mail, route: try await route(to: target, for: mail),
            configuration: configuration, answer: FirstResult())
        try plan.checkLogin()
        HelperThread.start { MailTransfer(plan).run() }
        let late = plan.failure(.totalTimeout, "not finished after \(mail.limits.total)")
        let left = mail.limits.total - (.now - start)
        return try await plan.answer.value(within: left, orThrow: late)
    }

    /// One refused address refuses the name, as with fetches.
    private func route(to target: Target, for mail: MailRequest) async throws -> Route {
        var route = Route(to: target, via: proxy)
        while true {
            for address in route.addresses ?? [] {
                guard let kind = mail.allowsAddresses.refusal(of: address) else { continue }
                throw HTTPTransportError(
                    .refusedAddress, url: target.url,
                    detail: "\(target.host) is \(address) (\(kind.rawValue))")
            }
            guard let (stop, host) = route.next else { return route }
            route.resolved(stop, try await lookUp(host, stop, target, mail.limits.connect))
        }
    }

    private func lookUp(
        _ host: String, _ stop: Route.Stop, _ target: Target, _ limit: Duration
    ) async throws -> [IPAddress] {
        func failure(_ code: HTTPTransportError.Code, _ detail: String) -> HTTPTransportError {
            HTTPTransportError(
                stop == .proxy ? .proxyFailed : code, url: target.url, detail: detail)
        }
        let found = FirstResult<Result<[IPAddress], LookupFailure>>()
        let lookup = resolver.resolve(host) { found.give(.success($0)) }
        defer { lookup.cancel() }
        let late = failure(.dnsTemporary, "no answer after \(limit)")
        switch try await found.value(within: limit, orThrow: late) {
        case .success(let addresses): return addresses
        case .failure(.notFound(let text)): throw failure(.dnsNotFound, text)
        case .failure(.temporary(let text)): throw failure(.dnsTemporary, text)
        }
    }
}

extension MailRequest {
    /// Lines of their own are all that a server reads: none of these may have a second one.
    fileprivate func validate(_ target: Target) throws {
        func refuse(_ problem: String) -> HTTPTransportError {
            HTTPTransportError(.badRequest, url: target.url, detail: problem)
        }
        for address in [sender, recipient] {
            let isOneWord = address.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "<")
                    && byte != UInt8(ascii: ">")
            }
            guard isOneWord, !address.isEmpty else { throw refuse("an address isn't one word") }
        }
        for text in [login?.user, login?.password].compactMap({ $0 }) {
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw refuse("the user and the password must be one line each")
            }
        }
    }
}
