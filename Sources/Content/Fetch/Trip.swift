import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Follows redirects by hand: each hop passes the URL, address, robots and pacing checks again.
struct Trip: Sendable {
    let parts: ContentParts
    let context: JobContext
    private static let mostHops = 10

    /// - Parameter request: makes one request.
    /// - Returns: what the last URL of the chain came to; `state` is `redirected` where there was
    ///   a chain and its end is well.
    func follow(
        _ start: WebURL, _ request: (WebURL, RequestPolicy) async throws -> Visit
    ) async throws -> Visit {
        var url = start
        var first: Visit?
        var seen: Set<WebURL> = [start]
        for _ in 0...Self.mostHops {
            let visit = try await visitOnce(url, request)
            guard let next = visit.next else { return Self.conclude(first, visit) }
            first = first ?? visit
            guard seen.insert(next).inserted else {
                return .failed("redirectLoop", "redirects to \(next.href) again")
            }
            url = next
        }
        return .failed("tooManyRedirects", "more than \(Self.mostHops) redirects")
    }

    private func visitOnce(
        _ url: WebURL, _ request: (WebURL, RequestPolicy) async throws -> Visit
    ) async throws -> Visit {
        let policy = policy
        switch try await parts.gate.ask(url, policy) {
        case .no(let visit): return visit
        case .wait(let pause):
            var visit = Visit.failed("hostOnHold", "the host wants a pause", .deferred)
            visit.retryAfter = pause
            return visit
        case .go: break
        }
        try context.checkRight()
        let visit = try await request(url, policy)
        if visit.failure == .deferred, let pause = visit.retryAfter {
            _ = try await parts.pool.execute(HoldHost(origin: url.origin, pause: pause))
        }
        return visit
    }

    private static func conclude(_ first: Visit?, _ last: Visit) -> Visit {
        guard let first, last.state == .ok else { return last }
        var visit = first
        visit.document = last.document
        return visit
    }

    private var policy: RequestPolicy {
        let configuration = parts.configuration
        return RequestPolicy(
            userAgent: ContentConfiguration.userAgent(contact: configuration.contact),
            limits: configuration.limits,
            addresses: AddressPolicy(allowed: configuration.allowedAddresses))
    }
}
