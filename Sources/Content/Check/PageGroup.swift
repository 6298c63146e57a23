import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Visits some pages of a checked site, one after the other, and commits them together: a commit
/// costs more than a page does. What fails is tried again by a group of its own.
struct PageGroup: Sendable {
    let visits: CheckVisits
    /// The first page; all have its depth and its number of redirects.
    let place: Place

    /// Pages of one job, where the site asks for no pause between them.
    static let most = 16
    /// A group that takes longer leaves the rest to another one.
    private static let longest: Duration = .seconds(20)

    var context: JobContext { visits.context }
    var parts: ContentParts { visits.parts }
    var check: StartedCheck { place.check }

    func visit(_ urls: [WebURL]) async throws -> JobOutcome {
        var (news, known) = try await fetch(urls)
        var settled: [(url: WebURL, visit: Visit)] = []
        var patience: Duration?
        if let refusal = news.refusal {
            patience = try await wait(refusal)
            if patience == nil {
                settled = news.left.map { ($0, check.judged(refusal.final, of: $0)) }
                news.left = []
            }
        }
        if news.isEmpty, !news.left.isEmpty { return .snooze(for: patience ?? .zero) }
        var again: [(pause: Duration, url: WebURL, visit: Visit)] = []
        for (url, visit) in news.others {
            if let pause = try await visits.pause(after: visit, of: url, in: check) {
                again.append((pause, url, visit))
            } else {
                settled.append((url, visit.final))
            }
        }
        return try await visits.targets.with(news.targets) {
            try context.checkRight()
            return try await context.commit { [news, known, settled, again, patience] transaction in
                try await store(news, known, in: transaction)
                for (url, visit) in settled {
                    try await visits.follow(visit, at: at(url), in: transaction)
                }
                try await spread(news, in: transaction)
                try await visits.remember(
                    news.well + settled.map { ($0, $1, $1.wasRead) }, of: place,
                    in: transaction)
                for (_, url, visit) in again {
                    _ = try await transaction.execute(
                        NoteFailure(check: check.id, url: url.href, code: visit.code))
                }
                try postpone(again, news.left, after: patience, in: transaction)
            }
        }
    }

    /// All groups of the site wait, at once.
    /// - Returns: for how long; nil when the check waits no longer.
    private func wait(_ refusal: Visit) async throws -> Duration? {
        let patience = try await visits.patience(with: refusal, in: check)
        if refusal.status != nil {
            let pause = patience ?? refusal.pause
            _ = try await parts.pool.execute(HoldHost(origin: place.url.origin, pause: pause))
        }
        return patience
    }

    private func at(_ url: WebURL) -> Place {
        Place(check: check, url: url, depth: place.depth, hops: place.hops)
    }

    /// - Returns: what it came to, and the pages that were known before.
    private func fetch(_ urls: [WebURL]) async throws -> (GroupNews, known: Set<String>) {
        var news = GroupNews()
        let policy = try visits.policy(place)
        let (rows, host) = try await parts.pool.pipeline(
            ListKnownPages(hrefs: urls.map(\.href)), ReadHosts(url: place.url))
        let known = Dictionary(rows.map { ($0.href, $0) }) { first, _ in first }
        if let hold = host.first?.hold, hold > .zero, visits.waits(hold, at: place) {
            news.refusal = .onHold(for: hold)
            news.left = urls
            return (news, [])
        }
        let start = ContinuousClock.now
        for (index, url) in urls.enumerated() {
            if news.isFull || start.duration(to: .now) > Self.longest {
                news.left = Array(urls[index...])
                break
            }
            guard let visit = try await visitOnce(url, policy, known[url.href]) else {
                news.left = Array(urls[index...])
                break
            }
            if visit.failure == .deferred, visits.waits(visit.retryAfter, at: place) {
                news.refusal = visit
                news.left = Array(urls[index...])
                break
            }
            news.take(visit, of: url, known: known[url.href])
        }
        return (news, Set(known.keys))
    }

    /// - Returns: nil when this turn's request is used up.
    private func visitOnce(
        _ url: WebURL, _ policy: RequestPolicy, _ known: ListKnownPages.Row?
    ) async throws -> Visit? {
        try context.checkRight()
        if check.isForeign(url) {
            switch try await parts.gate.ask(url, policy, in: context.queue) {
            case .no(let visit), .silent(let visit): return visit
            case .again: return nil
            case .wait(let pause): return .onHold(for: pause)
            case .go: try context.checkRight()
            }
        }
        var headers: HTTPHeaders
        do {
            headers = try check.filter.headers(for: url, parts.configuration.secrets)
        } catch let error as ContentError {
            return .failed(error.code.description, error.description)
        }
        let isOwn = check.filter.changesRequest(for: url)
        let wanted = wanted(url)
        for condition in known?.conditions.fields ?? [] where !isOwn {
            headers.add(condition.name, condition.value)
        }
        var visit = try await parts.visitor.get(
            url, policy, wanted: wanted, headers: headers)
        if isOwn { visit.document?.isForNobodyElse() }
        if case .sitemaps = wanted { visit = takenForSitemap(visit, url) }
        return check.judged(visit, of: url)
    }

    private func store(
        _ news: GroupNews, _ known: Set<String>, in transaction: PostgresTransaction
    ) async throws {
        let gone = news.documentless.filter { known.contains($0.href) }
        let urls = news.read.map(\.url) + news.unchanged.map(\.url) + gone
        if urls.isEmpty { return }
        let locks = try ItemLocks(
            urls.map { (Digest.id(of: $0.href), $0.href, !known.contains($0.href)) })
        let items = try await locks.items(of: transaction.run(locks.bundle))
        var writer = PageWriter()
        func note(_ item: LockedItem, _ outcome: FetchOutcome, status: Int?) -> ItemNote {
            var sightings = item.sightings
            _ = sightings.found(redirectsTo: nil, now: check.startedAt)
            return ItemNote(FetchResult(outcome, status: status), item, sightings)
        }
        for document in news.read {
            guard let item = items[document.url.href] else { continue }
            writer.store(document, in: item, note(item, .stored, status: document.status))
        }
        for (url, hash, answer) in news.unchanged {
            // Another document may have been seen meanwhile: then this answer is not about it.
            guard let item = items[url.href], item.hash == hash else { continue }
            let note = note(item, .unchanged, status: nil)
            writer.confirm(item, by: answer, askedAt: item.askedAt, note)
        }
        for item in gone.compactMap({ items[$0.href] }) where item.isPage { writer.forget(item) }
        var bundle = PostgresBundle()
        let held = try writer.add(to: &bundle)
        try held.check(try await transaction.run(bundle))
    }

    /// What failed, and what is left over, is visited by other groups.
    private func postpone(
        _ again: [(pause: Duration, url: WebURL, visit: Visit)], _ left: [WebURL],
        after patience: Duration?, in transaction: PostgresTransaction
    ) throws {
        let discovery = discovery(depth: place.depth)
        for (pause, group) in Dictionary(grouping: again, by: \.pause) {
            try discovery.enqueue(group.map(\.url.href), after: pause, in: transaction)
        }
        try discovery.enqueue(left.map(\.href), after: patience, in: transaction)
    }

    /// Late: who finds the same targets waits for this commit. And before any visit is written, or
    /// two that find each other's pages would wait for each other.
    private func spread(_ news: GroupNews, in transaction: PostgresTransaction) async throws {
        if news.well.isEmpty, news.read.isEmpty { return }
        let (sitemaps, read) = news.read.map { ($0.url, $0.page.isSitemap) }
            .reduce(into: ([WebURL](), [WebURL]())) { lists, document in
                document.1 ? lists.0.append(document.0) : lists.1.append(document.0)
            }
        let pages = (read + news.unchanged.map(\.url)).filter(follows)
        let found = try await spread(
            // Bounded: a depth is decoded as `Place.deepest` at most.
            SpreadCheck(check: check, depth: place.depth + 1, hops: 0, pages: pages.map(\.href)),
            in: transaction)
        // Bounded: as above.
        try discovery(depth: place.depth + 1).enqueue(found, in: transaction)
        if place.depth == 0 { try await begin(atThoseIn: sitemaps, in: transaction) }
        try await lookInside(pages, of: news, new: Set(found), in: transaction)
    }

    /// - Returns: what is to be visited of what was found: not what the check has no room for.
    func spread(
        _ statement: SpreadCheck, in transaction: PostgresTransaction
    ) async throws -> [String] {
        let room = try await visits.room.room(in: check, transaction)
        let found = try await transaction.execute(statement)
        let origins = check.scope.originPrefixes
        let own = found.filter { href in origins.contains { href.hasPrefix($0) } }
        visits.room.added(min(own.count, room), to: check)
        guard own.count > room else { return found }
        let left = own[room...]
        _ = try await transaction.execute(SkipPages(check: check.id, hrefs: Array(left)))
        let leftOut = Set(left)
        return found.filter { !leftOut.contains($0) }
    }

    func follows(_ url: WebURL) -> Bool {
        check.follows(url, depth: place.depth)
    }

    /// Adds what the pages say is inside of their targets.
    /// - Parameter new: targets that are visited for the first time: those that are foreign are
    ///   looked into then.
    private func lookInside(
        _ pages: [WebURL], of news: GroupNews, new: Set<String>,
        in transaction: PostgresTransaction
    ) async throws {
        let rules = check.options.rules
        let silent = Set(
            news.read.filter { document in
                !document.page.edges.contains { edge in
                    rules.looksIntoForeign && edge.fragment != nil
                        || rules.looksForText && edge.raw.utf8.contains(UInt8(ascii: "~"))
                }
            }.map(\.url))
        let wanting = pages.filter { !silent.contains($0) }
        guard !wanting.isEmpty, rules.looksIntoForeign || rules.looksForText else { return }
        let found = try await transaction.execute(
            AddPlaces(check: check, pages: wanting.map(\.href)))
        let others = try found.filter { href in
            try !new.contains(href) || check.scope.place(of: WebURL.parse(href)) != .foreign
        }
        try Discovery(
            check: check, parts: parts, context: context, depth: 0, hops: 0
        ).enqueue(looksInside: others, in: transaction)
    }

    private func discovery(depth: Int) -> Discovery {
        Discovery(
            check: check, parts: parts, context: context, depth: depth,
            hops: depth == place.depth ? place.hops : 0)
    }
}
