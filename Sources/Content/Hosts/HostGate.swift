import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// Whether a foreign host may be asked for something now: it may want a pause, and its
/// robots.txt may say no. An operator's own hosts are never asked for theirs.
struct HostGate: Sendable {
    let pool: PostgresPool
    let visitor: Visitor
    let robots: RobotsCache
    /// Between two requests, unless the host wants more.
    let interval: Duration

    enum Answer: Sendable {
        case go
        case wait(Duration)
        /// The robots.txt was fetched just now: that was this turn's request.
        case again
        /// What stands for the visit that isn't made.
        case no(Visit)
        /// The same, because the host didn't say what it allows: nobody who can wait asks it for
        /// more.
        case silent(Visit)
    }

    /// The longest pause between two requests that a robots.txt is granted.
    private static let longestDelay: Duration = .seconds(30)

    /// - Parameters:
    ///   - queue: the asking job's.
    ///   - look: at its host, just now.
    func ask(
        _ url: WebURL, _ policy: RequestPolicy, in queue: QueueName, seeing look: HostLook? = nil
    ) async throws -> Answer {
        let look = if let look { look } else { try await self.look(at: url) }
        if look.known.hold > .zero { return .wait(look.known.hold) }
        if look.known.isOwn { return .go }
        let verdict = try await verdict(on: url, look, policy)
        if let delay = verdict.crawlDelay, delay > interval {
            try await Lanes(client: TenureClient(pool: pool), queue: queue)
                .slow(HostLane.name(of: url), to: min(delay, Self.longestDelay))
        }
        return verdict.answer
    }

    private func look(at url: WebURL) async throws -> HostLook {
        let question = HostLook.Question(url, robots)
        guard let known = try await pool.execute(ReadHosts([question.asked])).first else {
            throw ContentError(.newerDatabase, "the host could not be read")
        }
        return question.look(known)
    }

    private struct Verdict {
        var answer: Answer
        var crawlDelay: Duration?

        /// What the fetch of robots.txt has left of the turn.
        func afterRequest(paced: Bool) -> Verdict {
            guard paced, case .go = answer else { return self }
            return Verdict(answer: .again, crawlDelay: crawlDelay)
        }
    }

    private func verdict(
        on url: WebURL, _ look: HostLook, _ policy: RequestPolicy
    ) async throws -> Verdict {
        let known = look.known
        if known.isFresh {
            guard known.hasRobots else { return Verdict(answer: .go) }
            if let read = look.read, read.fetchedAt == known.robotsFetchedAt {
                return Self.judge(url, read.policy)
            }
            return judge(url, known.robots, fetchedAt: known.robotsFetchedAt)
        }
        return try await fetchRobots(for: url, policy)
    }

    private func fetchRobots(
        for url: WebURL, _ policy: RequestPolicy
    ) async throws -> Verdict {
        guard var address = WebURL("/robots.txt", base: url) else { return Verdict(answer: .go) }
        var policy = policy
        // Its start is read, however long it is.
        (policy.limits.wireBytes, policy.limits.decodedBytes) = (.max, .max)
        let wanted = Visitor.Wanted.start(bytes: Robots.maxBytes + 1)
        for _ in 0...Redirects.mostToRobots {
            let visit = try await visitor.get(address, policy, wanted: wanted)
            if let next = visit.next {
                address = next
                continue
            }
            return try await take(visit, for: url).afterRequest(paced: interval > .zero)
        }
        return try await keep(status: 404, nil, for: url).afterRequest(paced: interval > .zero)
    }

    /// RFC 9309: what isn't there forbids nothing; what can't be reached forbids everything.
    private func take(_ visit: Visit, for url: WebURL) async throws -> Verdict {
        if visit.state == .ok {
            return try await keep(status: visit.status, visit.document?.body ?? [], for: url)
        }
        // A redirect that leads nowhere is in nobody's way, either.
        if let status = visit.status, (300..<500).contains(status), status != 429 {
            return try await keep(status: status, nil, for: url)
        }
        guard visit.status != nil else {
            // Where no connection comes about, that is what there is to say of the URL, too.
            let isSilent = Self.silence.contains(visit.code ?? "")
            return Verdict(answer: isSilent ? .silent(visit) : .no(visit))
        }
        _ = try await pool.execute(HoldHost(origin: url.origin, pause: visit.pause))
        return Verdict(answer: .wait(visit.pause))
    }

    private static let silence: Set<String> = Set(
        [HTTPTransportError.Code]([
            .timeoutFirstByte, .stalled, .totalTimeout, .connectionClosed, .truncated,
        ]).map(\.rawValue))

    private func keep(
        status: Int?, _ robots: [UInt8]?, for url: WebURL
    ) async throws -> Verdict {
        let fetchedAt = try await pool.execute(
            StoreRobots(origin: url.origin, status: status, robots: robots)
        ).first
        return judge(url, robots, fetchedAt: fetchedAt)
    }

    /// Read once, and kept for the host's other URLs.
    private func judge(_ url: WebURL, _ bytes: [UInt8]?, fetchedAt: Date?) -> Verdict {
        guard let bytes else { return Verdict(answer: .go) }
        let policy = Robots(bytes).policy(for: ContentConfiguration.productToken)
        if let fetchedAt {
            let entry = RobotsCache.Entry(
                policy: policy, fetchedAt: fetchedAt, bytes: bytes.count)
            robots.keep(entry, of: url.origin)
        }
        return Self.judge(url, policy)
    }

    private static func judge(_ url: WebURL, _ policy: RobotsPolicy) -> Verdict {
        let answer: Answer =
            policy.isAllowed(url) ? .go : .no(.skipped("robots", "robots.txt doesn't allow it"))
        return Verdict(answer: answer, crawlDelay: policy.crawlDelay)
    }
}
