import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Fetches one item: fresh → nothing to do; unchanged → noted; else merged into what is there,
/// behind the fence. No failure ever deletes content.
struct ItemFetch: Sendable {
    let parts: ContentParts
    let context: JobContext
    let targets: KnownTargets
    let looks: LookGatherer<WebURL, FirstLook>
    /// Writes how pages end.
    let pages: ChunkWriter<PageEnd>

    func run(_ job: ContentFetch) async throws -> JobOutcome {
        let url: WebURL
        do {
            url = try job.checkedURL()
        } catch {
            return .discard(reason: error.description)
        }
        let look = try await looks.answer(to: url)
        let known = look.item
        let looksForMissing = job.looksForMissing == true
        if looksForMissing, known.missingSince == nil {
            let isDeleted = known.createdAt == nil
            return try .completed(
                result: FetchResult(isDeleted ? .itemDeleted : .skipped, code: "notMissing"))
        }
        if job.isRefetch == true, known.isUnwatched {
            let isDeleted = known.createdAt == nil
            return try .completed(
                result: FetchResult(
                    isDeleted ? .itemDeleted : .skipped, code: isDeleted ? nil : "notWatched"))
        }
        if known.isFresh, known.serves(job.mode), !job.force, !looksForMissing {
            return try .completed(result: FetchResult(.skipped, code: "fresh"))
        }
        let (end, hops) = try await ask(url, job, look)
        try context.checkRight()
        let record = FetchRecord(
            job: context.jobID.uuid, run: context.runs, mode: job.mode.rawValue,
            askedAt: known.now, hops: hops)
        func ending(_ visit: Visit) -> FetchEnding {
            var record = record
            record.detail = visit.detail
            return FetchEnding(
                fetch: self, job: job, url: url, known: known, visit: visit, record: record)
        }
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let visit, let host):
            return try await ending(visit).putOff(visit.snooze(host))
        case .visit(let visit): return try await ending(visit).settle()
        }
    }

    private func ask(
        _ url: WebURL, _ job: ContentFetch, _ look: FirstLook
    ) async throws -> (Trip.End, Hops) {
        let trip = Trip(parts: parts, context: context, look: look.host)
        let trail = try await trip.trail(from: url)
        var hops = Hops(limits: job.limits, trail: trail)
        let end = try await trip.follow(url, trail, as: job) { url, policy, _ in
            try await hops.ask(url, policy) { url, policy in
                let conditions = Self.conditions(look.item, url, job)
                return try await parts.visitor.get(
                    url, policy, wanted: .articles, headers: conditions)
            }
        }
        return (end, hops)
    }

    /// A validator belongs to the URL that gave it, and is of use only for what is kept.
    private static func conditions(
        _ known: ReadItems.Row, _ url: WebURL, _ job: ContentFetch
    ) -> HTTPHeaders {
        guard !job.force, known.serves(job.mode), known.finalURL == url.href else { return [:] }
        var headers = HTTPHeaders()
        headers["If-None-Match"] = known.etag
        headers["If-Modified-Since"] = known.lastModified
        return headers
    }
}

/// A fetch that is worth another attempt.
struct FetchFailure: Error, CustomStringConvertible {
    let visit: Visit
    var description: String { URLRedaction.text(visit.detail ?? visit.code ?? "failed") }
}

/// The item was deleted while it was being fetched.
struct ItemDeleted: Error {}
