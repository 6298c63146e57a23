// docs/decisions/memory.md

import TenureFoundation
import Web

/// What is remembered of a target, and how it changes with a visit. A pure rule.
struct TargetHistory: Sendable, Equatable {
    var state = TargetState.unchecked
    var failures = 0
    var firstBrokenAt: Date?
    var lastOkAt: Date?
    /// Where it redirects to, and whether it says that this is for good.
    var nextHref: String?
    var isForGood = false
    /// Since when its state and its redirect are what they are.
    var changedAt: Date?

    /// What a row may say that somebody else wrote; three are enough to be sure.
    static let mostFailures = 1_000_000

    /// A missing page or a bad certificate is confirmed by a second look after this…
    static let secondLook: Duration = .seconds(600)
    /// …anything else by three over a day.
    static let day: Duration = .seconds(86_400)

    /// Takes a visit in.
    /// - Parameter strict: a first failure counts as confirmed.
    /// - Returns: when to look again, if that is what it takes to be sure.
    mutating func take(_ visit: Visit, strict: Bool, now: Date) -> Duration? {
        let before = self
        defer {
            if before.state != state || before.nextHref != nextHref { changedAt = now }
        }
        switch visit.state {
        case .ok, .redirected, .moved:
            takeSuccess(visit, now: now)
            return nil
        case .broken, .suspect: return takeFailure(visit, strict: strict, now: now)
        case .blocked: state = .blocked
        case .skipped, .unchecked, .missingFragment:
            if state == .unchecked { state = .skipped }
        }
        return nil
    }

    private mutating func takeSuccess(_ visit: Visit, now: Date) {
        let next = visit.next?.href
        // Both for good: one that was not is no sighting of a move.
        let isSecondSighting = isForGood && visit.redirectsForGood && next == nextHref
        state = visit.state == .redirected && isSecondSighting ? .moved : visit.state
        nextHref = next
        isForGood = visit.redirectsForGood
        failures = 0
        firstBrokenAt = nil
        lastOkAt = now
    }

    private mutating func takeFailure(_ visit: Visit, strict: Bool, now: Date) -> Duration? {
        failures += 1
        let first = firstBrokenAt ?? now
        firstBrokenAt = first
        nextHref = nil
        isForGood = false
        let age = Duration.clamped(seconds: now.timeIntervalSince(first))
        let isSure =
            visit.isSureAtSecondLook
            ? failures >= 2 && age >= Self.secondLook : failures >= 3 && age >= Self.day
        state = strict || state == .broken || isSure ? .broken : .suspect
        if state == .broken { return nil }
        return visit.isSureAtSecondLook ? Self.secondLook - age : Self.untilNext(age)
    }

    /// Looks stand half a day and a day after the first failure; one that comes late is followed
    /// by another half a day after it.
    private static func untilNext(_ age: Duration) -> Duration {
        let half = day / 2
        if age < half { return half - age }
        return age < day ? day - age : half
    }
}

extension Visit {
    /// A certificate was judged; a handshake that failed before may pass.
    private var hasBadCertificate: Bool {
        code?.hasPrefix("tls(") == true && failure == .permanent
    }

    fileprivate var isSureAtSecondLook: Bool {
        status == 404 || status == 410 || hasBadCertificate
    }
}
