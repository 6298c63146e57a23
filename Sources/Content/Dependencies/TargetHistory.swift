import FoundationEssentials
import Web

/// What is remembered of a target, and how it changes with a visit. A pure rule.
struct TargetHistory: Sendable, Equatable {
    var state = TargetState.unchecked
    var failures = 0
    var firstBrokenAt: Date?
    var lastOkAt: Date?
    var nextHref: String?

    /// A missing page or a bad certificate is confirmed by a second look after this…
    static let secondLook: Duration = .seconds(600)
    /// …anything else by three over a day.
    static let day: Duration = .seconds(86_400)

    /// Takes a visit in.
    /// - Parameter strict: a first failure counts as confirmed.
    /// - Returns: when to look again, if that is what it takes to be sure.
    mutating func take(_ visit: Visit, strict: Bool, now: Date) -> Duration? {
        switch visit.state {
        case .ok, .redirected, .moved:
            takeSuccess(visit, now: now)
            return nil
        case .broken, .suspect: return takeFailure(visit, strict: strict, now: now)
        case .blocked: state = .blocked
        case .skipped, .unchecked: if state == .unchecked { state = .skipped }
        }
        return nil
    }

    private mutating func takeSuccess(_ visit: Visit, now: Date) {
        let next = visit.next?.href
        let isSecondSighting = state == .redirected || state == .moved
        if visit.state == .redirected, visit.isPermanentRedirect, isSecondSighting,
            next == nextHref
        {
            state = .moved
        } else {
            state = visit.state
        }
        nextHref = next
        failures = 0
        firstBrokenAt = nil
        lastOkAt = now
    }

    private mutating func takeFailure(_ visit: Visit, strict: Bool, now: Date) -> Duration? {
        failures += 1
        let first = firstBrokenAt ?? now
        firstBrokenAt = first
        nextHref = nil
        let age = Duration.seconds(now.timeIntervalSince(first))
        let isSure =
            visit.isSureAtSecondLook
            ? failures >= 2 && age >= Self.secondLook : failures >= 3 && age >= Self.day
        state = strict || state == .broken || isSure ? .broken : .suspect
        if state == .broken { return nil }
        return visit.isSureAtSecondLook ? Self.secondLook : Self.day / 2
    }
}

extension Visit {
    fileprivate var isSureAtSecondLook: Bool {
        status == 404 || status == 410 || code?.hasPrefix("tls") == true
    }

    fileprivate var isPermanentRedirect: Bool { status == 301 || status == 308 }
}
