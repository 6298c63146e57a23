import HTTPTransport
import Tenure
import TenureFoundation
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
    let filter: RuleFilter
    let scope: CheckScope
    /// Of those that the check begins at, the origins that are somebody else's: asked in their
    /// hosts' lanes, as their robots.txt allow.
    var foreignOrigins: Set<String> = []
    /// The site that is watched, if it is a check of one.
    var site: UUID?

    init(
        id: UUID, start: WebURL, folder: String?, options: SiteCheckOptions, startedAt: Date,
        finishedAt: Date?, cancelledAt: Date?, site: UUID? = nil
    ) {
        (self.id, self.start, self.folder, self.options) = (id, start, folder, options)
        (self.startedAt, self.finishedAt) = (startedAt, finishedAt)
        (self.cancelledAt, self.site) = (cancelledAt, site)
        filter = RuleFilter(options.rules, root: folder == nil ? nil : start.origin + "/")
        scope = CheckScope(start: start, options.reach)
    }

    /// Whether a page of the check is on somebody else's host.
    func isForeign(_ page: WebURL) -> Bool { foreignOrigins.contains(page.origin) }

    /// What URLs of the served folder begin with; nil where none is.
    var servedPrefix: String? { folder == nil ? nil : start.origin + "/" }

    /// Whether it is of one's own folder, which is served for the check.
    func isServed(_ page: WebURL) -> Bool { folder != nil && page.origin == start.origin }

    /// The options as they are for one of the places that the check begins at: this machine's
    /// address is for the folder that is served there, and no leave to ask it for more.
    func options(at page: WebURL) -> SiteCheckOptions {
        guard isServed(page) else { return options }
        var own = options
        own.allowedAddresses.append("127.0.0.1")
        return own
    }

    /// Whether what a document refers to belongs to the check, given how far from the start it is.
    func follows(_ place: Scope.Place, depth: Int) -> Bool {
        switch options.kind {
        case .links: depth == 0
        case .site:
            isGiven(place, depth)
                || place == .inside && depth < Place.deepest && depth <= options.depth ?? .max
        }
    }

    func follows(_ url: WebURL, depth: Int) -> Bool {
        follows(scope.place(of: url), depth: depth)
            && (depth == 0 || !EndlessPath.isEndless(url))
    }

    /// One of several places that the check begins at, or where that redirects to.
    private func isGiven(_ place: Scope.Place, _ depth: Int) -> Bool {
        depth == 0 && place == .sameOrigin && options.reach?.isSeveral ?? false
    }

    /// The check's limits; never higher than the worker's.
    func limits(_ base: HTTPLimits) -> HTTPLimits {
        var limits = base
        if let seconds = options.firstByteSeconds {
            limits.firstByte = min(limits.firstByte, .clamped(seconds: seconds))
        }
        if let seconds = options.totalSeconds {
            limits.total = min(limits.total, .clamped(seconds: seconds))
        }
        if let bytes = options.bodyBytes {
            limits.wireBytes = min(limits.wireBytes, bytes)
            limits.decodedBytes = min(limits.decodedBytes, bytes)
        }
        return limits
    }

    /// Why a URL that was found isn't visited; nil if it is.
    func reasonToSkip(_ url: WebURL, isForeign: Bool) -> String? {
        if filter.excludes(url.href) { return "excluded" }
        guard isForeign else { return nil }
        return reasonToSkipForeign ?? (filter.wantsForeign(url.href) ? nil : "notWanted")
    }

    /// A visit as the rules take it.
    func judged(_ visit: Visit, of url: WebURL) -> Visit {
        var visit = visit
        visit.isAccepted = visit.failure != nil && filter.accepts(visit.status, of: url.href)
        return visit
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

        init(_ place: Scope.Place) {
            if case .foreign = place { self = .target } else { self = .page }
        }
    }
    let url: WebURL
    let mode: Mode
    let follows: Bool
    /// Why it isn't visited after all.
    let skipCode: String?
    /// The line of a list that names it.
    var given: GivenLine?

    init(_ url: WebURL, of check: StartedCheck, depth: Int) {
        let place = check.scope.place(of: url)
        self.url = url
        mode = Mode(place)
        follows = mode == .page && check.follows(url, depth: depth)
        skipCode = check.reasonToSkip(url, isForeign: mode == .target)
    }

    /// One at which a check begins: whoever started it wants it visited.
    init(given page: GivenPage, of check: StartedCheck) {
        let place = check.scope.place(of: page.url)
        (url, given) = (page.url.withoutFragment, page.line)
        mode = Mode(place)
        follows = mode == .page && check.follows(place, depth: 0)
        skipCode = nil
    }
}
