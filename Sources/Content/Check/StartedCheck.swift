import FoundationEssentials
import HTTPTransport
import Tenure
import Web

/// A check as its jobs know it.
struct StartedCheck: Sendable {
    let id: UUID
    let start: WebURL
    let folder: String?
    let options: SiteCheckOptions
    let startedAt: Date
    let finishedAt: Date?
    let cancelledAt: Date?
    /// The checked site is somebody else's: asked in its host's lane, as its robots.txt allows.
    var isForeign = false
    /// The site that is watched, if it is a check of one.
    var site: UUID?

    var scope: Scope { Scope(start: start) }

    /// Whether what a document refers to belongs to the check, given how far from the start it is.
    func follows(_ place: Scope.Place, depth: Int) -> Bool {
        switch options.kind {
        case .links: depth == 0
        case .site: place == .inside && depth < Place.deepest && depth <= options.depth ?? .max
        }
    }

    /// The check's limits; never higher than the worker's.
    func limits(_ base: HTTPLimits) -> HTTPLimits {
        guard let seconds = options.firstByteSeconds else { return base }
        var limits = base
        limits.firstByte = min(limits.firstByte, .clamped(seconds: seconds))
        return limits
    }

    /// Foreign hosts are only asked in somebody's name.
    var reasonToSkipForeign: String? {
        guard options.checksForeign else { return "notWanted" }
        return (options.contact ?? "").isEmpty ? "noContact" : nil
    }

    func pause(afterFailures failures: Int) -> Duration {
        .clamped(seconds: options.pauseSeconds) * (1 << min(max(failures, 0), 10))
    }
}

/// A URL that a check is going to visit.
struct PlannedVisit: Sendable {
    enum Mode: String, Sendable {
        /// Fetched, and scanned.
        case page
        /// Looked at.
        case target
    }
    let url: WebURL
    let mode: Mode
    let follows: Bool
    /// Why it isn't visited after all.
    let skipCode: String?

    init(_ url: WebURL, of check: StartedCheck, depth: Int) {
        let place = check.scope.place(of: url)
        self.url = url
        if case .foreign = place { mode = .target } else { mode = .page }
        follows = mode == .page && check.follows(place, depth: depth)
        skipCode = mode == .page ? nil : check.reasonToSkipForeign
    }
}
