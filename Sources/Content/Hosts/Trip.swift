import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Follows redirects by hand: each hop passes the URL, address, robots and pacing checks again. A
/// hop to another host is made in that host's lane: the job goes on there, with its trail.
struct Trip: Sendable {
    let parts: ContentParts
    let context: JobContext
    /// Who answers for the requests; nil for the worker's own.
    var contact: String?
    /// A look at the host of the URL that it begins at, just now.
    var look: HostLook?
    /// Whether a host that leaves the question for its robots.txt unanswered is waited for.
    var waitsForRobots = true

    enum End: Sendable {
        /// What the last URL of the chain came to; `state` is `redirected` where there was a chain
        /// and its end is well.
        case visit(Visit)
        /// The host of the URL wants a pause.
        case deferred(Visit, WebURL)
        /// The job goes on later, or elsewhere: return this.
        case goOn(JobOutcome)
    }

    /// How far earlier runs of the job have come.
    func trail(from start: WebURL) async throws -> Trail? {
        // A job's first run has no earlier one.
        guard context.runs > 1 else { return nil }
        let read = ReadTrail(job: context.jobID.uuid, start: start)
        return try await parts.pool.execute(read).first
    }

    /// - Parameters:
    ///   - trail: how far an earlier run has come.
    ///   - job: it goes on with this payload.
    ///   - request: makes one request.
    func follow(
        _ start: WebURL, _ trail: Trail?, as job: some Job,
        _ request: (WebURL, RequestPolicy, _ asksWhole: Bool) async throws -> Visit
    ) async throws -> End {
        let end = try await step(start, trail, job, request)
        if trail != nil, case .visit(let visit) = end, visit.failure != .transient {
            _ = try await parts.pool.execute(DropTrail(job: context.jobID.uuid))
        }
        return end
    }

    private func goOn(
        in lane: Lane, as job: some Job, _ start: WebURL, _ trail: Trail
    ) async throws -> End {
        let keep = KeepTrail(job: context.jobID.uuid, start: start, trail: trail)
        return .goOn(
            try await context.goOn(in: lane, as: job) { transaction in
                // Where nothing was followed yet, the start is where it begins, without being told.
                guard !trail.hops.isEmpty || trail.asksWhole else { return }
                _ = try await transaction.execute(keep)
            })
    }

    private func step(
        _ start: WebURL, _ trail: Trail?, _ job: some Job,
        _ request: (WebURL, RequestPolicy, _ asksWhole: Bool) async throws -> Visit
    ) async throws -> End {
        var trail = trail ?? Trail(next: start.href)
        var look = trail.next == start.href ? look : nil
        while trail.hops.count <= Redirects.most {
            let url = try WebURL.parse(trail.next)
            let lane = parts.lane(of: url.href)
            if lane.name != context.lane {
                return try await goOn(in: lane, as: job, start, trail)
            }
            let asksWhole = trail.asksWhole
            let turn = try await visitOnce(url, look) { try await request($0, $1, asksWhole) }
            look = nil
            guard let visit = turn else {
                // From its end on: the first request of a process may have been long on its way.
                let pause = parts.configuration.hostInterval
                let hold = HostLane.hold(url, for: pause, reason: "robots.txt was fetched")
                return .goOn(.snooze(for: pause, holding: hold))
            }
            if visit.failure == .deferred { return .deferred(visit, url) }
            trail.asksWhole = visit.wantsWhole
            if visit.wantsWhole, !parts.isPaced { continue }
            if visit.wantsWhole {
                return try await goOn(in: lane, as: job, start, trail)
            }
            guard let next = visit.next else { return .visit(Self.conclude(trail, visit)) }
            trail.hops.append(Trail.Hop(url: url.href, status: visit.status ?? 0))
            guard !trail.hops.contains(where: { $0.url == next.href }) else {
                return .visit(.failed("redirectLoop", "redirects to \(next.href) again"))
            }
            trail.next = next.href
            // One turn of a host that wants pauses is one request.
            if parts.isPaced, parts.lane(of: next.href).name == lane.name {
                return try await goOn(in: lane, as: job, start, trail)
            }
        }
        return .visit(.failed("tooManyRedirects", "more than \(Redirects.most) redirects"))
    }

    /// - Returns: nil when this turn's request is used up.
    private func visitOnce(
        _ url: WebURL, _ look: HostLook?,
        _ request: (WebURL, RequestPolicy) async throws -> Visit
    ) async throws -> Visit? {
        let policy = policy
        switch try await parts.gate.ask(url, policy, in: context.queue, seeing: look) {
        case .no(let visit): return visit
        case .silent(var visit):
            // A look at a target says what it has seen; a fetch comes again, and costs no attempt.
            if waitsForRobots { visit.failure = .deferred }
            return visit
        case .again: return nil
        case .wait(let pause): return .onHold(for: pause)
        case .go: break
        }
        try context.checkRight()
        let visit = try await request(url, policy)
        if visit.failure == .deferred {
            _ = try await parts.pool.execute(HoldHost(origin: url.origin, pause: visit.pause))
        }
        return visit
    }

    /// As the visit of the first URL: where there were redirects and the end is well, its own.
    private static func conclude(_ trail: Trail, _ last: Visit) -> Visit {
        guard let first = trail.hops.first, last.state == .ok else { return last }
        var visit = Visit(state: .redirected, code: String(first.status), status: first.status)
        let second = trail.hops.count > 1 ? trail.hops[1].url : trail.next
        visit.next = WebURL(second)
        visit.document = last.document
        return visit
    }

    private var policy: RequestPolicy {
        let configuration = parts.configuration
        return RequestPolicy(
            userAgent: configuration.userAgent(for: contact),
            limits: configuration.limits,
            addresses: AddressPolicy(allowed: configuration.allowedAddresses))
    }
}
