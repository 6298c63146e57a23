import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Looks for what links say is inside of their targets.
extension CheckVisits {
    /// Of a page, at most: what comes later is not looked at.
    private static let mostBytes = 4 << 20

    /// How a page is asked for in which something is looked for.
    static var wanted: Visitor.Wanted { .pageStart(bytes: mostBytes) }

    func lookInside(_ job: PlaceVisit) async throws -> JobOutcome {
        try await within(job.check) { check in
            let url = try WebURL.parse(job.url)
            let place = Place(check: check, url: url, depth: 0, hops: job.hops)
            let wanted = ListPlaces(check: check.id, url: url)
            // The target's own visit may have seen to it.
            if try await parts.pool.execute(wanted).isEmpty { return .completed }
            let policy = try policy(place)
            try context.checkRight()
            if place.isForeign || check.isForeign(url) {
                switch try await parts.gate.ask(url, policy, in: context.queue) {
                // What can't be asked for stays unjudged; its own visit says why.
                case .no, .silent: return .completed
                case .again: return .snooze(for: .zero)
                case .wait(let pause): return later(.onHold(for: pause), of: check)
                case .go: try context.checkRight()
                }
            }
            let visit = try await ask(place) { headers in
                try await parts.visitor.get(url, policy, wanted: Self.wanted, headers: headers)
            }
            if visit.failure == .deferred || visit.failure == .transient {
                if visit.status != nil, visit.failure == .deferred {
                    let hold = HoldHost(origin: url.origin, pause: visit.pause)
                    _ = try await parts.pool.execute(hold)
                }
                return later(visit, of: check)
            }
            let verdicts = try await verdicts(by: visit, at: place)
            try context.checkRight()
            return try await context.commit { transaction in
                if let next = visit.next {
                    try await HoldTargets.hold([next.href], in: transaction)
                }
                try await settle(verdicts, by: visit, at: place, in: transaction)
            }
        }
    }

    /// Again after a pause, as often as the check looks at anything; then it stays unjudged.
    private func later(_ visit: Visit, of check: StartedCheck) -> JobOutcome {
        let pause =
            visit.failure == .deferred ? visit.pause : check.pause(afterFailures: context.runs - 1)
        guard context.runs < check.options.looks, pause <= Self.longestPause else {
            return .completed
        }
        return .snooze(for: pause)
    }

    /// What a visit that has read a page says of what is looked for in it.
    func verdicts(
        by visit: Visit, at place: Place
    ) async throws -> [(id: UUID, verdict: PlaceVerdict)] {
        guard let body = visit.document?.body, let document = visit.document else { return [] }
        let wanted = try await parts.pool.execute(
            ListPlaces(check: place.check.id, url: place.url))
        var judge = PlaceJudge(document, isWhole: body.count < Self.mostBytes)
        return wanted.map { ($0.id, judge.verdict(on: $0)) }
    }

    /// Writes that, or goes on where the target redirects to, whose row is held.
    func settle(
        _ verdicts: [(id: UUID, verdict: PlaceVerdict)], by visit: Visit, at place: Place,
        in transaction: PostgresTransaction
    ) async throws {
        let check = place.check
        if !verdicts.isEmpty {
            _ = try await transaction.execute(
                SettlePlaces(check: check.id, url: place.url, verdicts: verdicts))
        }
        guard let next = visit.next, place.hops < Redirects.most else { return }
        let moved = try await transaction.execute(
            MovePlaces(check: check.id, url: place.url, next: next))
        if moved.isEmpty { return }
        let discovery = Discovery(
            check: check, parts: parts, context: context, depth: 0,
            // Bounded: just above.
            hops: place.hops + 1)
        try discovery.enqueue(looksInside: [next.href], in: transaction)
    }
}
