import FoundationEssentials
import Tenure
import TenureWorker
import Web

extension RunVisits {
    /// Tries again later while that may help; then writes what the visit came to.
    ///
    /// The run counts its failed looks itself, in the same commit that puts the next one off: a
    /// killed worker costs a job an attempt, but never makes a finding.
    func settle(_ visit: Visit, at place: Place) async throws -> JobOutcome {
        guard visit.failure == .transient || visit.failure == .deferred else {
            return try await record(visit, at: place)
        }
        let run = place.run
        let failures =
            try await parts.pool.execute(
                CountFailures(run: run.id, url: place.url.href)
            ).first ?? 0
        let pause = visit.retryAfter ?? run.pause(afterFailures: failures)
        let isTooLong = pause > Self.longestPause
        guard failures + 1 < run.options.looks, !isTooLong else {
            return try await record(visit.final, at: place)
        }
        let outcome =
            visit.failure == .deferred && place.isForeign
            ? visit.snooze(place.url) : .snooze(for: pause)
        return try await context.commit(outcome) { transaction in
            if visit.failure == .deferred, place.isForeign, let delay = visit.retryAfter {
                _ = try await transaction.execute(
                    HoldHost(origin: place.url.origin, pause: delay))
            }
            _ = try await transaction.execute(
                NoteFailure(run: run.id, url: place.url.href, code: visit.code))
        }
    }

    /// A run doesn't wait longer than this for a host.
    private static let longestPause: Duration = .seconds(60)

    /// One commit: the document, its edges, the visits they ask for, and the visit itself.
    private func record(_ visit: Visit, at place: Place) async throws -> JobOutcome {
        let page = visit.document.flatMap { ScannedPage($0) }
        let item = page.flatMap { page in
            visit.document.map {
                FetchedItem(url: place.url, $0, status: visit.status, page: page)
            }
        }
        try context.checkRight()
        return try await context.commit { transaction in
            if let item { try await store(item, in: transaction) }
            try await follow(visit, item, at: place, in: transaction)
            try await remember(visit, item, at: place, in: transaction)
        }
    }

    private func store(_ item: FetchedItem, in transaction: PostgresTransaction) async throws {
        let isNew = try await transaction.execute(StoreItem(item: item, keepsBody: false))
        let hrefs = item.targets.map(\.href)
        _ = try await transaction.execute(StoreTargets(hrefs: hrefs))
        guard isNew.first ?? true else { return }
        let url = item.url.href
        _ = try await transaction.pipeline(
            DeleteEdges(url: url), InsertReferences(url: url, edges: item.edges),
            InsertAnchors(url: url, anchors: item.anchors))
    }

    /// What the document refers to, if that is the run's; where a redirect leads, always.
    private func follow(
        _ visit: Visit, _ item: FetchedItem?, at place: Place,
        in transaction: PostgresTransaction
    ) async throws {
        var depth = place.depth
        var hops = 0
        var found: [WebURL] = []
        if let next = visit.next, place.hops < Place.mostHops {
            found = [next]
            hops = place.hops + 1
            _ = try await transaction.execute(StoreTargets(hrefs: [next.href]))
        } else if let item, place.run.follows(place.scopePlace, depth: place.depth) {
            found = item.visitable
            depth += 1
        }
        let discovery = Discovery(
            run: place.run, parts: parts, context: context, depth: depth, hops: hops)
        try await discovery.add(found, in: transaction)
    }

    private func remember(
        _ visit: Visit, _ item: FetchedItem?, at place: Place,
        in transaction: PostgresTransaction
    ) async throws {
        let memory = TargetMemory(url: place.url, context: context, parts: parts)
        let state = try await memory.take(
            visit, strict: place.run.options.strict || !place.isForeign, in: transaction)
        _ = try await transaction.execute(
            RecordVisit(
                run: place.run.id, url: place.url.href, visit: visit,
                state: visit.state == .broken ? state : visit.state,
                isPage: item?.isHTML ?? false))
    }
}

extension Visit {
    /// As it counts once nothing more is tried. A host that only ever asks for a pause is not
    /// broken.
    fileprivate var final: Visit {
        guard failure == .deferred else { return self }
        var visit = self
        visit.state = .blocked
        visit.failure = .blocked
        return visit
    }
}

extension FetchedItem {
    /// What a run visits of its edges: a form's action is for whoever fills it in.
    fileprivate var visitable: [WebURL] {
        var seen: Set<WebURL> = []
        return edges.filter { $0.kind != Reference.Kind.form.rawValue }
            .compactMap(\.target).filter { seen.insert($0).inserted }
    }
}
