import HTTPTransport
import Tenure
import Web

/// Whether a foreign host may be asked for something now: it may want a pause, and its
/// robots.txt may say no.
struct HostGate: Sendable {
    let pool: PostgresPool
    let visitor: Visitor

    enum Answer: Sendable {
        case go
        case wait(Duration)
        /// What stands for the visit that isn't made.
        case no(Visit)
    }

    /// How long an unreachable robots.txt keeps us away.
    private static let unreachablePause: Duration = .seconds(60)

    func ask(_ url: WebURL, _ policy: RequestPolicy) async throws -> Answer {
        let known = try await pool.execute(ReadHost(origin: url.origin)).first
        if let hold = known?.hold, hold > .zero { return .wait(hold) }
        if let known, known.isFresh {
            return Self.judge(url, status: known.robotsStatus, robots: known.robots)
        }
        return try await fetchRobots(for: url, policy)
    }

    private func fetchRobots(
        for url: WebURL, _ policy: RequestPolicy
    ) async throws -> Answer {
        guard var address = WebURL("/robots.txt", base: url) else { return .go }
        var policy = policy
        policy.limits.wireBytes = min(policy.limits.wireBytes, 2 << 20)
        for _ in 0...5 {
            let visit = try await visitor.get(address, policy, wanted: .anything)
            if let next = visit.next {
                address = next
                continue
            }
            return try await take(visit, for: url)
        }
        return try await keep(status: 404, nil, for: url)
    }

    /// RFC 9309: what isn't there forbids nothing; what can't be reached forbids everything.
    private func take(_ visit: Visit, for url: WebURL) async throws -> Answer {
        if visit.state == .ok {
            return try await keep(status: visit.status, visit.document?.body ?? [], for: url)
        }
        if let status = visit.status, (400..<500).contains(status), status != 429 {
            return try await keep(status: status, nil, for: url)
        }
        // The host itself can't be reached: that is what there is to say of the URL, too.
        if visit.status == nil { return .no(visit) }
        return .wait(visit.retryAfter ?? Self.unreachablePause)
    }

    private func keep(
        status: Int?, _ robots: [UInt8]?, for url: WebURL
    ) async throws -> Answer {
        let bytes = robots.map { Array($0.prefix(Robots.maxBytes + 1)) }
        _ = try await pool.execute(
            StoreRobots(origin: url.origin, status: status, robots: bytes))
        return Self.judge(url, status: status, robots: bytes)
    }

    private static func judge(_ url: WebURL, status: Int?, robots: [UInt8]?) -> Answer {
        guard let robots else { return .go }
        let path = url.path + (url.query.map { "?\($0)" } ?? "")
        let isAllowed = Robots(robots).isAllowed(
            path: path, userAgent: ContentConfiguration.productToken)
        return isAllowed ? .go : .no(.skipped("robots", "robots.txt doesn't allow it"))
    }
}
