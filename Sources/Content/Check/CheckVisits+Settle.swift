import Tenure
import TenureFoundation
import TenureWorker
import Web

extension CheckVisits {
    /// Tries a foreign target again later while that may help; then writes what the visit came to.
    ///
    /// The check counts its failed looks itself, in the same commit that puts the next one off: a
    /// killed worker costs a job an attempt, but never makes a finding.
    func settle(_ visit: Visit, at place: Place) async throws -> JobOutcome {
        // Whatever the check makes of it: the host's next URL isn't asked for.
        if visit.failure == .deferred, visit.status != nil {
            let hold = HoldHost(origin: place.url.origin, pause: visit.pause)
            _ = try await parts.pool.execute(hold)
        }
        if visit.isAccepted { return try await record(visit, at: place) }
        guard let pause = try await pause(after: visit, of: place.url, in: place.check) else {
            return try await record(visit.final, at: place)
        }
        let outcome =
            visit.failure == .deferred ? visit.snooze(place.url) : .snooze(for: pause)
        return try await context.commit(outcome) { transaction in
            _ = try await transaction.execute(
                NoteFailure(check: place.check.id, url: place.url.href, code: visit.code))
        }
    }

    /// How long until another look; nil when none may help, or none is left.
    func pause(after visit: Visit, of url: WebURL, in check: StartedCheck) async throws -> Duration?
    {
        guard visit.failure == .transient || visit.failure == .deferred else { return nil }
        let count = CountFailures(check: check.id, url: url.href)
        let failures = try await parts.pool.execute(count).first ?? 0
        let pause =
            visit.failure == .deferred ? visit.pause : check.pause(afterFailures: failures)
        // Bounded: a column of four bytes.
        guard failures + 1 < check.options.looks, pause <= Self.longestPause else { return nil }
        return pause
    }

    /// Whether a page that is put off for so long puts off the site's other pages, too. One's own
    /// site may be asked for them, where the check won't be there any more when it is over.
    func waits(_ pause: Duration?, at place: Place) -> Bool {
        place.check.isForeign(place.url) || pause ?? .zero <= Self.longestPause
    }

    /// How long until pages of the site are asked for again that it has put off; nil when the check
    /// has waited enough. That is no look that failed: a site that is slow to let everybody in is
    /// waited for as long as it goes on.
    func patience(with refusal: Visit, in check: StartedCheck) async throws -> Duration? {
        guard let wanted = refusal.retryAfter, wanted > .zero else {
            let pause = min(check.pause(afterFailures: context.runs - 1), Self.longestPause)
            return try await isStuck(check) ? nil : pause
        }
        if wanted > Self.longestPause { return nil }
        // Nobody asked: who has waited for long lets others have the first turn.
        if refusal.status == nil { return wanted + .milliseconds(50) * min(context.runs, 100) }
        return try await isStuck(check) ? nil : HostLane.pause(wanted)
    }

    private func isStuck(_ check: StartedCheck) async throws -> Bool {
        let standstill = try await parts.pool.execute(ReadStandstill(check: check.id)).first
        return standstill.map { $0 > Self.longestStandstill } ?? false
    }

    /// A check doesn't wait longer than this for a host, at a time,
    static let longestPause: Duration = .seconds(60)
    /// or where the site lets nothing through meanwhile.
    private static let longestStandstill: Duration = .seconds(300)

    private func record(_ visit: Visit, at place: Place) async throws -> JobOutcome {
        let verdicts = try await verdicts(by: visit, at: place)
        try context.checkRight()
        return try await context.commit { transaction in
            // Targets first, the visited one's own row after them, as everywhere.
            try await follow(visit, at: place, in: transaction)
            if place.check.options.rules.looksIntoForeign {
                try await settle(verdicts, by: visit, at: place, in: transaction)
            }
            try await remember(
                [(place.url, visit, visit.wasRead)], of: place, in: transaction)
        }
    }

    /// Writes what visits came to, for the check and for all to come: of pages of its site, or of
    /// one foreign target.
    func remember(
        _ visits: [(url: WebURL, visit: Visit, isPage: Bool)], of place: Place,
        in transaction: PostgresTransaction
    ) async throws {
        let memory = TargetMemory(
            context: context, parts: parts, contact: place.check.options.contact,
            queue: place.check.options.laterQueue)
        // What others would be answered is not known of a request that they wouldn't make.
        let shared = visits.filter { !place.check.filter.changesRequest(for: $0.url) }
        let states = try await memory.take(
            shared.map { ($0.url, $0.visit.final) },
            strict: place.check.options.strict || !place.isForeign, in: transaction)
        let entries = visits.map { url, visit, isPage in
            let state = visit.state == .broken ? states[url.href] ?? .broken : visit.state
            let taken = visit.isAccepted ? visit.accepted : visit
            return RecordVisits.Entry(
                url: url, visit: taken, state: visit.isAccepted ? taken.state : state,
                isPage: isPage)
        }
        if entries.isEmpty { return }
        _ = try await transaction.pipeline(
            PlanByKeys(), RecordVisits(check: place.check.id, visits: entries))
    }

    /// Where a redirect leads is visited, always.
    func follow(
        _ visit: Visit, at place: Place, in transaction: PostgresTransaction
    ) async throws {
        guard let next = visit.next, place.hops < Redirects.mostInCheck else { return }
        try await HoldTargets.hold([next.href], in: transaction)
        let discovery = Discovery(
            check: place.check, parts: parts, context: context, depth: place.depth,
            // Bounded: hops are decoded as `Redirects.mostInCheck` at most.
            hops: place.hops + 1)
        try await discovery.add([next], in: transaction)
    }
}

extension Visit {
    /// As it counts once nothing more is tried. A host that only ever asks for a pause is not
    /// broken.
    var final: Visit {
        guard failure == .deferred else { return self }
        var visit = self
        visit.state = .blocked
        visit.failure = .blocked
        return visit
    }
}
