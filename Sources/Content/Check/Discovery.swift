import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Gives a check more to visit: whoever adds a URL to the check enqueues its visit, so that it is
/// visited once.
struct Discovery: Sendable {
    let check: StartedCheck
    let parts: ContentParts
    let context: JobContext
    let depth: Int
    let hops: Int

    /// The targets have their rows already.
    func add(_ urls: [WebURL], in transaction: PostgresTransaction) async throws {
        if urls.isEmpty { return }
        let visits = urls.map { PlannedVisit($0, of: check, depth: depth) }
        let new = try await transaction.execute(
            AddVisits(check: check.id, depth: depth, hops: hops, visits: visits))
        try enqueue(new, in: transaction)
    }

    func enqueue(
        _ hrefs: [String], after pause: Duration? = nil, in transaction: PostgresTransaction
    ) throws {
        let urls = try hrefs.map { try WebURL.parse($0) }
        let isForeign = { (url: WebURL) in
            PlannedVisit.Mode(check.scope.place(of: url)) == .target
        }
        let pages = urls.filter { !isForeign($0) }
        let sites = Dictionary(grouping: pages, by: \.origin).sorted { $0.key < $1.key }
        let jobs =
            try sites.flatMap { try groups($0.value).map { try job(pages: $0, after: pause) } }
            + urls.filter(isForeign).map { try job(target: $0, after: pause) }
        if !jobs.isEmpty { try context.client.enqueue(jobs, in: transaction) }
    }

    /// Where links say that something is inside of them.
    func enqueue(looksInside hrefs: [String], in transaction: PostgresTransaction) throws {
        let jobs = try hrefs.map { href in
            let url = try WebURL.parse(href)
            var options = options(after: nil)
            let isForeign = PlannedVisit.Mode(check.scope.place(of: url)) == .target
            if isForeign {
                options.lane = parts.lane(of: href)
            } else if check.isForeign(url) || interval(of: url) > .zero {
                options.lane = parts.lane(of: href, interval: interval(of: url))
            }
            return try NewJob(PlaceVisit(href, of: check.id, hops: hops), options: options)
        }
        if !jobs.isEmpty { try context.client.enqueue(jobs, in: transaction) }
    }

    /// Few pages of a site are spread over many jobs, so that workers share them; many make full
    /// groups.
    private func groups(_ pages: [WebURL]) -> [[WebURL]] {
        let pauses = pages.first.map { interval(of: $0) > .zero } ?? false
        let size = pauses ? 1 : min(PageGroup.most, (pages.count + 7) / 8)
        return stride(from: 0, to: pages.count, by: max(1, size)).map { start in
            Array(pages[start..<min(start + size, pages.count)])
        }
    }

    /// From one page of the site to the next. Somebody else's site is a host like any other.
    private func interval(of page: WebURL) -> Duration {
        let wanted = Duration.clamped(seconds: check.options.ownInterval)
        return check.isForeign(page) ? max(wanted, parts.configuration.hostInterval) : wanted
    }

    private func job(pages: [WebURL], after pause: Duration?) throws -> NewJob {
        var options = options(after: pause)
        if let first = pages.first, check.isForeign(first) || interval(of: first) > .zero {
            options.lane = parts.lane(of: first.href, interval: interval(of: first))
        }
        let visits = PageVisits(pages.map(\.href), of: check.id, depth: depth, hops: hops)
        return try NewJob(visits, options: options)
    }

    private func job(target url: WebURL, after pause: Duration?) throws -> NewJob {
        var options = options(after: pause)
        options.lane = parts.lane(of: url.href)
        let visit = ForeignVisit(url.href, of: check.id, depth: depth, hops: hops)
        return try NewJob(visit, options: options)
    }

    /// A job that an operator repeated after the check's end is part of no batch, nor are its own.
    private func options(after pause: Duration?) -> EnqueueOptions {
        var options = EnqueueOptions()
        options.batch = context.batchID
        options.parent = context.jobID
        options.queue = context.queue
        options.priority = check.options.priority
        if let pause { options.runTime = .after(pause) }
        return options
    }
}
