import FoundationEssentials
import Tenure
import TenureWorker
import Web

/// Gives a run more to visit: whoever adds a URL to the run enqueues its visit, so that it is
/// visited once.
struct Discovery: Sendable {
    let run: CheckRun
    let parts: ContentParts
    let context: JobContext
    let depth: Int
    let hops: Int

    /// The targets have their rows already.
    func add(_ urls: [WebURL], in transaction: PostgresTransaction) async throws {
        if urls.isEmpty { return }
        let visits = urls.map { PlannedVisit($0, of: run, depth: depth) }
        let new = try await transaction.execute(
            AddVisits(run: run.id, depth: depth, hops: hops, visits: visits))
        try enqueue(new, in: transaction)
    }

    func enqueue(_ hrefs: [String], in transaction: PostgresTransaction) throws {
        var jobs: [NewJob] = []
        for href in hrefs {
            let visit = PlannedVisit(try WebURL.parse(href), of: run, depth: depth)
            jobs.append(try job(visit))
        }
        if !jobs.isEmpty { context.client.enqueue(jobs, in: transaction) }
    }

    private func job(_ visit: PlannedVisit) throws -> NewJob {
        var options = EnqueueOptions()
        options.run = run.id
        options.parent = context.jobID
        options.queue = context.queue
        options.trace = context.trace
        let href = visit.url.href
        switch visit.mode {
        case .page:
            if run.options.ownInterval > 0 {
                options.lane = parts.lane(of: href, interval: .seconds(run.options.ownInterval))
            }
            var fetch = ContentFetch(url: href, mode: .metadata)
            (fetch.run, fetch.depth, fetch.hops) = (run.id, depth, hops)
            return try NewJob(fetch, .keeping(fetch.key), options: options)
        case .target:
            options.lane = parts.lane(of: href)
            var check = DependencyCheck(scope: .target, url: href, run: run.id)
            (check.depth, check.hops) = (depth, hops)
            return try NewJob(check, .keeping(check.key), options: options)
        }
    }
}
