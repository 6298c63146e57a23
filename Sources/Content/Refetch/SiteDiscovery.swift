import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// One request of a site's discovery: its robots.txt, a sitemap or a feed.
struct SiteDiscovery: Sendable {
    let parts: ContentParts
    let context: JobContext

    /// Sitemaps that one file may lead to; of an index the first ones.
    static let mostSitemaps = 1000
    /// Pages that wait to be fetched for the first time: more are taken up when these are there.
    static let mostWaiting = 50_000
    private static let fullness =
        "\(mostWaiting) pages wait for their first fetch; the rest comes when they are there"

    func run(_ job: ContentDiscovery) async throws -> JobOutcome {
        let rows = try await parts.pool.execute(ReadRefetchedSite(id: job.site))
        guard let row = rows.first else { return .completed }
        let site: RefetchedSite
        let start: WebURL
        do {
            site = try RefetchedSite(row)
            start = try job.url.map { try CheckableURL.parse($0) } ?? Self.robots(of: site)
        } catch let error as ContentError {
            return .discard(reason: "\(error)")
        }
        guard start.origin == site.url.origin else {
            return .discard(reason: "\(start.origin) is another host than the site's")
        }
        let (end, answer) = try await ask(start, job, site)
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let visit, let host): return visit.snooze(host)
        case .visit(let visit):
            try context.checkRight()
            if visit.failure == .transient, context.attempt < context.maxAttempts {
                throw FetchFailure(visit: visit)
            }
            if job.url == nil { return try await lead(on: visit, to: site) }
            return try await read(visit, answer, start, job, site)
        }
    }

    private static func robots(of site: RefetchedSite) throws -> WebURL {
        try CheckableURL.parse(site.url.origin + "/robots.txt")
    }

    /// - Returns: the last answer, too: at the end of redirects it is about another URL.
    private func ask(
        _ start: WebURL, _ job: ContentDiscovery, _ site: RefetchedSite
    ) async throws -> (Trip.End, Visit?) {
        let known = try await parts.pool.execute(ReadSitemap(site: site.id, url: start)).first
        let trip = Trip(parts: parts, context: context, contact: site.options.contact)
        let trail = try await trip.trail(from: start)
        var answer: Visit?
        let end = try await trip.follow(start, trail, as: job) { url, policy, _ in
            var policy = policy
            policy.limits.wireBytes = SitemapLimits.maxBytes
            policy.limits.decodedBytes = SitemapLimits.maxBytes
            var headers = HTTPHeaders()
            if url == start {
                headers["If-None-Match"] = known?.etag
                headers["If-Modified-Since"] = known?.lastModified
            }
            let wanted: Visitor.Wanted =
                job.url == nil ? .start(bytes: Robots.maxBytes) : .anything
            let visit = try await parts.visitor.get(url, policy, wanted: wanted, headers: headers)
            answer = visit
            return visit
        }
        return (end, answer)
    }

    // MARK: What there is

    /// The sitemaps that the robots.txt names, or the one that lies where most do; and the feeds
    /// that the site's first page names.
    private func lead(on visit: Visit, to site: RefetchedSite) async throws -> JobOutcome {
        let written = visit.document?.body.map { Robots($0).sitemaps } ?? []
        let named = written.compactMap { WebURL($0, base: site.url)?.withoutFragment }
        let usual = WebURL("/sitemap.xml", base: site.url).map { [$0] } ?? []
        let feeds = try await parts.pool.execute(ListFeeds(site: site)).compactMap { WebURL($0) }
        return try await follow((named.isEmpty ? usual : named) + feeds, of: site, depth: 0)
    }

    private func follow(
        _ urls: [WebURL], of site: RefetchedSite, depth: Int,
        _ note: KeepSitemap? = nil
    ) async throws -> JobOutcome {
        var seen: Set<String> = []
        let own = urls.filter { $0.origin == site.url.origin && seen.insert($0.href).inserted }
        var options = EnqueueOptions()
        options.queue = context.queue
        options.lane = parts.lane(of: site.url.href)
        let jobs = try own.prefix(Self.mostSitemaps).map { url in
            let job = ContentDiscovery(site.id, url: url.href, depth: depth)
            return try NewJob(job, options: options)
        }
        return try await context.commit { [client = context.client] transaction in
            if let note { _ = try await transaction.execute(note) }
            try client.enqueue(jobs, in: transaction)
        }
    }

    // MARK: What they name

    private func read(
        _ visit: Visit, _ answer: Visit?, _ start: WebURL, _ job: ContentDiscovery,
        _ site: RefetchedSite
    ) async throws -> JobOutcome {
        if answer?.status == 304, visit.failure == nil { return .completed }
        // Nobody has said that one is there.
        if visit.status == 404, start.path == "/sitemap.xml" { return .completed }
        var note = KeepSitemap(site: site.id, url: start)
        guard visit.failure == nil, visit.state != .skipped, let document = visit.document,
            let body = document.body
        else {
            note.problem = visit.detail ?? visit.code ?? "nothing to read"
            return try await follow([], of: site, depth: 0, note)
        }
        let named = NamedPages(body, of: document)
        note.problem = named.problem
        note.urls = named.pages.count
        if named.problem == nil, document.url == start {
            note.etag = document.headers["ETag"]
            note.lastModified = document.headers["Last-Modified"]
        }
        if !named.sitemaps.isEmpty, job.depth >= ContentDiscovery.deepest {
            note.problem = "indexes of sitemaps lie more than \(job.depth) deep; not followed"
            return try await follow([], of: site, depth: 0, note)
        }
        try await add(named.pages, to: site, &note)
        // Bounded: by the depth that a payload may have.
        let depth = job.depth + 1
        return try await follow(named.sitemaps, of: site, depth: depth, note)
    }

    /// In bites, whose ids don't come twice: what a killed worker has added is there.
    private func add(
        _ pages: [WebURL], to site: RefetchedSite, _ note: inout KeepSitemap
    ) async throws {
        let own = pages.filter { site.scope.place(of: $0) == .inside }.map(\.href)
        var waiting = try await parts.pool.execute(CountFound(site: site.id)).first ?? 0
        for start in stride(from: 0, to: own.count, by: 1000) {
            try context.checkRight()
            guard waiting < Self.mostWaiting else {
                note.problem = Self.fullness
                (note.etag, note.lastModified) = (nil, nil)
                return
            }
            let bite = Array(own[start..<min(start + 1000, own.count)])
            let added = try await parts.pool.execute(AddFound(site: site.id, hrefs: bite)).count
            note.added += added
            waiting += added
        }
    }
}
