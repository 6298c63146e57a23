import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// What a fetch's answer means for its item: read again under its lock, merged, and committed
/// behind the fence.
struct FetchEnding: Sendable {
    let parts: ContentParts
    let context: JobContext
    let job: ContentFetch
    let url: WebURL
    /// As it was before the request.
    let known: ReadItem.Row
    var visit: Visit
    let record: FetchRecord

    func settle() async throws -> JobOutcome {
        do {
            switch visit.failure {
            case .deferred: return try await putOff(visit.snooze(url))
            case .transient: try await miss()
            case .permanent, .blocked: return try await fail()
            case nil: return try await take()
            }
        } catch is ItemDeleted {
            return try .completed(result: FetchResult(.itemDeleted))
        }
        throw FetchFailure(visit: visit)
    }

    /// The host waits, and no attempt is charged.
    func putOff(_ outcome: JobOutcome) async throws -> JobOutcome {
        try await context.commit(outcome) { transaction in
            // Without a request there is nothing to tell.
            guard record.hops.hasAsked else { return }
            _ = try await transaction.execute(
                AddFetch(url: url.href, record: record, result: result(.failed)))
        }
    }

    /// A failure that may pass: noted, and the job is tried again.
    private func miss() async throws {
        try await makeTargets()
        try await context.checkpoint { transaction in
            try await noteFailure(in: transaction)
        }
    }

    private func fail() async throws -> JobOutcome {
        try await makeTargets()
        return try await context.commit { transaction in
            try await noteFailure(in: transaction)
        }
    }

    private func take() async throws -> JobOutcome {
        if visit.state == .skipped { return try await skip(visit.code ?? "skipped") }
        guard let answer = record.hops.last, let document = answer.document else {
            return try await skip(visit.code ?? "skipped")
        }
        if answer.status == 304 || answer.status == 206 {
            return try await takeWithoutBody(answer, document)
        }
        guard document.body != nil else { return try await skip("type") }
        let extract = Extract(document, asked: url, limits: job.limits)
        let storing = ItemStoring(ending: self, document: document, extract: extract)
        try await makeTargets(extract.edges)
        return try await context.commit { transaction in
            try await storing.store(in: transaction)
        }
    }

    /// Before the fenced transaction, in a short one: pages of a site share most of their targets,
    /// and one that made a new one would have all others wait for its commit, or deadlock. A
    /// target that nothing refers to yet says nothing.
    private func makeTargets(_ edges: [Edge] = []) async throws {
        _ = try await parts.pool.execute(
            StoreTargets(hrefs: [url.href] + edges.uniqueTargets.map(\.href)))
    }

    /// An answer that only means something to the request that was made.
    private func takeWithoutBody(
        _ answer: Visit, _ document: FetchedDocument
    ) async throws -> JobOutcome {
        let wasAsked =
            !job.force && known.serves(job.mode) && known.finalURL == document.url.href
        guard answer.status == 304, wasAsked else {
            var ending = self
            ending.visit = .failed(
                "\(answer.status ?? 0)", "HTTP status \(answer.status ?? 0), unasked",
                status: answer.status)
            return try await ending.fail()
        }
        try await makeTargets()
        return try await context.commit { transaction in
            try await confirm(answer, document, in: transaction)
        }
    }

    /// The status is that of the answer that failed; a loop of redirects has none.
    func result(_ outcome: FetchOutcome, code: String? = nil) -> FetchResult {
        let status = visit.failure == nil ? record.hops.last?.status : visit.status
        var result = FetchResult(outcome, code: code ?? visit.code, status: status)
        result.failure = visit.failure
        return result
    }
}

// MARK: In the transaction

extension FetchEnding {
    /// Reads the item again, locked. One that nobody had seen is made; one that is gone, or is
    /// another by now, stays as it is.
    func lock(
        in transaction: PostgresTransaction
    ) async throws -> (item: LockedItem, fields: [ReadFields.Row]) {
        if known.createdAt == nil { _ = try await transaction.execute(MakeItem(url: url.href)) }
        let (items, fields) = try await transaction.pipeline(
            LockItem(url: url.href), ReadFields(url: url.href))
        guard let item = items.first, known.createdAt == nil || item.createdAt == known.createdAt
        else { throw ItemDeleted() }
        return (item, fields)
    }

    private func noteFailure(in transaction: PostgresTransaction) async throws {
        let item = try await lock(in: transaction).item
        var sightings = item.sightings
        let isGone = sightings.failed(status: visit.status, now: record.askedAt)
        try await note(result(isGone ? .gone : .failed), item, sightings, in: transaction)
        if !isGone, visit.status == 404, let since = sightings.missingSince {
            try lookAgain(missingSince: since, in: transaction)
        }
    }

    /// Missing once is not gone: somebody looks again when a day has gone by.
    private func lookAgain(missingSince: Date, in transaction: PostgresTransaction) throws {
        let age = record.askedAt.timeIntervalSince(missingSince)
        let look = job.secondLook(at: url.href)
        var options = EnqueueOptions()
        options.runTime = .after(.seconds(max(Sightings.day - age, 0)))
        options.lane = parts.lane(of: url.href)
        options.queue = context.queue
        try context.client.enqueue(look, .coalescing(look.key), options: options, in: transaction)
    }

    private func skip(_ code: String) async throws -> JobOutcome {
        try await makeTargets()
        return try await context.commit { transaction in
            let item = try await lock(in: transaction).item
            try await note(result(.skipped, code: code), item, item.sightings, in: transaction)
        }
    }

    private func confirm(
        _ answer: Visit, _ document: FetchedDocument, in transaction: PostgresTransaction
    ) async throws {
        let item = try await lock(in: transaction).item
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: record.hops.permanentTarget, now: record.askedAt)
        // Another document may have been seen meanwhile: then this answer is not about it.
        if item.hash == known.hash, item.askedAt ?? .distantPast <= record.askedAt {
            let headers = ResponseHeaders(json: item.headers).updated(by: document.headers)
            _ = try await transaction.pipeline(
                ConfirmItem(
                    item: item.id, askedAt: record.askedAt,
                    freshFor: headers.freshness(answer.figures), headers: headers),
                DropCandidate(item: item.id))
        }
        let outcome: FetchOutcome = hasMoved ? .moved : .unchanged
        try await note(plain(outcome), item, sightings, in: transaction)
    }

    /// Without the code of the redirects on the way.
    func plain(_ outcome: FetchOutcome) -> FetchResult {
        FetchResult(outcome, status: record.hops.last?.status)
    }

    /// Writes how it ended: with the item, among its fetches, and in what is known of the target.
    func note(
        _ result: FetchResult, _ item: LockedItem, _ sightings: Sightings,
        suspicion: String?? = nil, in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.pipeline(
            NoteItem(
                item: item.id, result: result, sightings: sightings,
                suspicion: suspicion ?? item.suspicion, version: result.version ?? item.version),
            AddFetch(url: url.href, record: record, result: result))
        let memory = TargetMemory(url: url, context: context, parts: parts)
        _ = try await memory.take(visit, strict: false, in: transaction)
    }
}
