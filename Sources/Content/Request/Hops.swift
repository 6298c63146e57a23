import HTTPTransport
import TenureFoundation
import Web

/// The requests that a fetch makes, one after the other, and what each came to.
struct Hops: Sendable {
    private(set) var visits: [(url: WebURL, visit: Visit)] = []
    private let limits: FetchLimits?
    private let start = ContinuousClock.now

    /// Whether this run has made one of them.
    private(set) var hasAsked = false

    /// - Parameter trail: the redirects that earlier runs of the job have followed.
    init(limits: FetchLimits?, trail: Trail?) {
        self.limits = limits
        guard let trail else { return }
        let nexts = trail.hops.dropFirst().map(\.url) + [trail.next]
        for (hop, next) in zip(trail.hops, nexts) {
            guard let url = WebURL(hop.url) else { continue }
            var visit = Visit(state: .redirected, code: String(hop.status), status: hop.status)
            visit.next = WebURL(next)
            visits.append((url, visit))
        }
    }

    /// The last answer: that of the document itself.
    var last: Visit? { visits.last?.visit }
    var finalURL: WebURL? { visits.last?.url }

    /// Where the redirects led that are for good: those before the first that isn't.
    var permanentTarget: String? {
        visits.prefix { $0.visit.redirectsForGood }.last?.visit.next?.href
    }

    /// Makes one request of the chain, under what the limits leave for it.
    mutating func ask(
        _ url: WebURL, _ policy: RequestPolicy,
        _ send: (WebURL, RequestPolicy) async throws -> Visit
    ) async throws -> Visit {
        let most = limits?.redirects ?? Redirects.most
        guard visits.count <= most else {
            return .failed("tooManyRedirects", "more than \(most) redirects")
        }
        var policy = policy
        policy.limits = limits?.lowering(policy.limits) ?? policy.limits
        // The limit is for the whole chain.
        policy.limits.total -= ContinuousClock.now - start
        guard policy.limits.total > .zero else {
            return .failed("totalTimeout", "not finished in time", .transient)
        }
        let visit = try await send(url, policy)
        visits.append((url, visit))
        hasAsked = true
        return visit
    }
}

extension Hops {
    /// The last answer's body has come, or what there is of it, so long after its head.
    mutating func end(_ response: HTTPResponse, after time: Duration) {
        guard var figures = visits.last?.visit.figures else { return }
        let untilHead = figures.timings.total ?? .zero
        figures.timings = response.timings
        figures.timings.total = figures.timings.total ?? untilHead + time
        figures.progress = response.body.progress
        visits[visits.count - 1].visit.figures = figures
    }
}

extension Visit {
    var redirectsForGood: Bool { next != nil && (status == 301 || status == 308) }
}

/// What a request is remembered by, apart from what it brought.
struct RequestFigures: Sendable {
    var sentAt: HTTPDate
    var answeredAt: HTTPDate
    var timings: HTTPTimings
    var address: String?
    var version: String?
    var progress = HTTPBodyProgress()
}

extension Hops {
    /// The steps of all requests added up; nil where there was no request.
    var timings: HTTPTimings? {
        visits.compactMap(\.visit.figures?.timings).reduce(nil) { sum, next in
            guard let sum else { return next }
            var both = HTTPTimings()
            both.dns = sum.dns + next.dns
            both.connect = sum.connect + next.connect
            both.tls = sum.tls + next.tls
            both.firstByte = sum.firstByte + next.firstByte
            both.total = (sum.total ?? .zero) + (next.total ?? .zero)
            return both
        }
    }

    private struct Step: Encodable {
        let url: String
        let status: Int?
        let to: String?
        let code: String?
        let address: String?
        let version: String?
        let ms: Double?
    }

    /// A JSON array, without secrets.
    func json() throws -> String {
        let steps = visits.map { url, visit in
            Step(
                url: URLRedaction.text(url.href).storable, status: visit.status,
                to: visit.next.map { URLRedaction.text($0.href).storable }, code: visit.code,
                address: visit.figures?.address, version: visit.figures?.version,
                ms: visit.figures?.timings.total.map { $0 / .milliseconds(1) })
        }
        return try Self.encoded(steps)
    }

    /// The redirects alone, for the item; nil without any.
    func redirects() throws -> String? {
        let steps = visits.filter { $0.visit.next != nil }.map { url, visit in
            [
                "url": URLRedaction.text(url.href).storable,
                "status": visit.status.map(String.init) ?? "",
                "to": URLRedaction.text(visit.next?.href ?? "").storable,
            ]
        }
        return steps.isEmpty ? nil : try Self.encoded(steps)
    }

    private static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
