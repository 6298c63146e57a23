import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Fetches one item: fresh → nothing to do; unchanged → noted; else stored behind the fence. No
/// failure ever deletes content.
struct ItemFetch: Sendable {
    let parts: ContentParts
    let context: JobContext

    func run(_ job: ContentFetch) async throws -> JobOutcome {
        let url: WebURL
        do {
            url = try WebURL.parse(job.url).withoutFragment
        } catch {
            return .discard(reason: "\(error)")
        }
        let known = try await parts.pool.execute(ReadItem(url: url.href)).first
        if let known, known.isFresh, !job.force {
            return try .completed(result: FetchResult(outcome: "fresh", status: nil))
        }
        let headers = job.force ? [:] : Self.conditions(known)
        let trip = Trip(parts: parts, context: context)
        let end = try await trip.follow(url, job.trail, goingOn: job.following) { url, policy in
            try await parts.visitor.get(url, policy, wanted: .anything, headers: headers)
        }
        switch end {
        case .outcome(let outcome): return outcome
        case .visit(let visit):
            try context.checkRight()
            return try await settle(visit, url, job)
        }
    }

    private static func conditions(_ known: ReadItem.Row?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers["If-None-Match"] = known?.etag
        headers["If-Modified-Since"] = known?.lastModified
        return headers
    }

    private func settle(
        _ visit: Visit, _ url: WebURL, _ job: ContentFetch
    ) async throws -> JobOutcome {
        switch visit.failure {
        case .deferred: return visit.snooze(url)
        case .transient: throw FetchFailure(visit: visit)
        case .permanent, .blocked: return try await fail(visit, url)
        case nil: break
        }
        guard let document = visit.document else { return try await fail(visit, url) }
        if visit.status == 304 { return try await confirm(document, url) }
        let page = ScannedPage(document)
        let item = FetchedItem(url: url, document, status: visit.status, page: page)
        return try await context.commit { transaction in
            try await store(item, keepsBody: job.mode == .article, in: transaction)
            try await remember(visit, url, in: transaction)
        }
    }

    private func fail(_ visit: Visit, _ url: WebURL) async throws -> JobOutcome {
        try await context.commit { transaction in
            _ = try await transaction.execute(
                FailItem(
                    url: url.href, outcome: visit.code ?? visit.state.rawValue,
                    status: visit.status))
            try await remember(visit, url, in: transaction)
        }
    }

    private func confirm(_ document: FetchedDocument, _ url: WebURL) async throws -> JobOutcome {
        let cache = document.headers["Cache-Control"].map { CacheControl($0) } ?? CacheControl()
        return try await context.commit { transaction in
            _ = try await transaction.execute(
                ConfirmItem(url: url.href, freshFor: cache.maxAge ?? .zero))
        }
    }

    private func store(
        _ item: FetchedItem, keepsBody: Bool, in transaction: PostgresTransaction
    ) async throws {
        let isNew = try await transaction.execute(StoreItem(item: item, keepsBody: keepsBody))
        guard isNew.first ?? true else { return }
        let url = item.url.href
        _ = try await transaction.execute(StoreTargets(hrefs: item.targets.map(\.href)))
        _ = try await transaction.pipeline(
            DeleteEdges(url: url), InsertReferences(url: url, edges: item.edges),
            InsertAnchors(url: url, anchors: item.anchors))
    }

    private func remember(
        _ visit: Visit, _ url: WebURL, in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
        let memory = TargetMemory(url: url, context: context, parts: parts)
        _ = try await memory.take(visit, strict: false, in: transaction)
    }
}

/// What `job show` says of a fetch.
struct FetchResult: Codable, Sendable {
    let outcome: String
    let status: Int?
}

/// A fetch that is worth another attempt.
struct FetchFailure: Error, CustomStringConvertible {
    let visit: Visit
    var description: String { visit.detail ?? visit.code ?? "failed" }
}
