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
            let item = Digest.id(of: url.href)
            _ = try await transaction.pipeline(
                DropOldFetches(item: item),
                AddFetch(item: item, record: record, result: result(.failed)))
        }
    }

    /// A failure that may pass: noted, and the job is tried again.
    private func miss() async throws {
        try await withTargets { context in
            try await context.checkpoint { try await noteFailure(in: $0) }
        }
    }

    private func fail() async throws -> JobOutcome {
        try await withTargets { context in
            try await context.commit { try await noteFailure(in: $0) }
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
        let storing = ItemStoring(self, document, extract)
        if storing.isNews { try await parts.followUp.call(parts, context) }
        return try await withTargets(storing.targets) { context in
            try await context.commit { try await storing.store(in: $0) }
        }
    }

    /// Runs `body` with its own target made, and others; once more where one of them has been
    /// deleted meanwhile.
    private func withTargets<Value>(
        _ others: PageTargets = PageTargets([]), _ body: (JobContext) async throws -> Value
    ) async throws -> Value {
        var targets = [(id: Digest.id(of: url.href), href: url.href)]
        targets += zip(others.ids, others.hrefs).map { (id: $0, href: $1) }
        var triesLeft = 10
        while true {
            try await parts.targets.make(targets, in: parts.pool)
            do {
                return try await body(context)
            } catch let gone as TargetsGone where triesLeft > 0 {
                parts.targets.forget(gone.ids)
                triesLeft -= 1
            }
        }
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
        return try await withTargets { context in
            try await context.commit { try await confirm(answer, document, in: $0) }
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
    func lock(in transaction: PostgresTransaction) async throws -> LockedPage {
        var batch = PostgresBatch()
        let made = known.createdAt == nil ? try batch.add(MakeItem(url: url.href)) : nil
        let locked = try batch.add(LockItem(url: url.href))
        let fields = try batch.add(ReadFields(url: url.href))
        let target = Digest.id(of: url.href)
        let recalled = try batch.add(RecallTarget(id: target))
        let waiting = try batch.add(ItemChange.findJob(context.queue))
        let reply = try await transaction.run(batch)
        guard let item = try reply.rows(as: LockItem.self, of: locked).first,
            known.createdAt == nil || item.createdAt == known.createdAt
        else { throw ItemDeleted() }
        guard let target = try reply.rows(as: RecallTarget.self, of: recalled).first else {
            throw TargetsGone(ids: [target])
        }
        return LockedPage(
            item: item, fields: try reply.rows(as: ReadFields.self, of: fields), target: target,
            isNew: try made.map { try !reply.rows(as: MakeItem.self, of: $0).isEmpty } ?? false,
            isAwaited: try reply.rows(as: FindPending.self, of: waiting).first ?? false)
    }

    private func noteFailure(in transaction: PostgresTransaction) async throws {
        let page = try await lock(in: transaction)
        var sightings = page.item.sightings
        let isGone = sightings.failed(status: visit.status, now: record.askedAt)
        try await note(result(isGone ? .gone : .failed), page, sightings, in: transaction)
        if !isGone, visit.status == 404, let since = sightings.missingSince {
            let look = SecondLook(at: url, after: job, parts: parts, context: context)
            try look.enqueue(missingSince: since, now: record.askedAt, in: transaction)
        }
    }

    private func skip(_ code: String) async throws -> JobOutcome {
        try await withTargets { context in
            try await context.commit { transaction in
                let page = try await lock(in: transaction)
                try await note(
                    result(.skipped, code: code), page, page.item.sightings, in: transaction)
            }
        }
    }

    private func confirm(
        _ answer: Visit, _ document: FetchedDocument, in transaction: PostgresTransaction
    ) async throws {
        let page = try await lock(in: transaction)
        let item = page.item
        var writes = PageWrites()
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: record.hops.permanentTarget, now: record.askedAt)
        // Another document may have been seen meanwhile: then this answer is not about it.
        if item.hash == known.hash, item.askedAt ?? .distantPast <= record.askedAt {
            let headers = ResponseHeaders(json: item.headers).updated(by: document.headers)
            try writes.batch.add(
                ConfirmItem(
                    item: item.id, askedAt: record.askedAt,
                    freshFor: headers.freshness(answer.figures), headers: headers))
            try writes.batch.add(DropCandidate(item: item.id))
        }
        let outcome: FetchOutcome = hasMoved ? .moved : .unchanged
        try await note(plain(outcome), page, sightings, with: writes, in: transaction)
    }

    /// Without the code of the redirects on the way.
    func plain(_ outcome: FetchOutcome) -> FetchResult {
        FetchResult(outcome, status: record.hops.last?.status)
    }

    /// Writes how it ended with the item, after what is to be written before that.
    func note(
        _ result: FetchResult, _ page: LockedPage, _ sightings: Sightings,
        with writes: PageWrites = PageWrites(), in transaction: PostgresTransaction
    ) async throws {
        var writes = writes
        try writes.batch.add(
            NoteItem(
                item: page.item.id, result: result, sightings: sightings,
                suspicion: page.item.suspicion, version: result.version ?? page.item.version))
        try await write(writes, result, page, in: transaction)
    }

    /// Writes what was gathered, how it ended among the item's fetches, and what is known of the
    /// target by now; all of it in one round trip.
    func write(
        _ writes: PageWrites, _ result: FetchResult, _ page: LockedPage,
        in transaction: PostgresTransaction
    ) async throws {
        var batch = writes.batch
        if !page.isNew { try batch.add(DropOldFetches(item: page.item.id)) }
        try batch.add(AddFetch(item: page.item.id, record: record, result: result))
        let memory = TargetMemory(url: url, context: context, parts: parts)
        let taken = try memory.take(visit, into: page.target, by: &batch)
        let reply = try await transaction.run(batch)
        if let edges = writes.edges {
            let gone = try reply.rows(as: StoreEdges.self, of: edges.place)
            if !gone.isEmpty { throw TargetsGone(ids: gone.map { edges.targets.ids[$0 - 1] }) }
            if edges.isChange, !page.isAwaited {
                parts.followUp.miss(context.queue)
                try ItemChange.enqueue(parts, context, in: transaction)
            }
        }
        try await memory.settle(taken, visit, reply, in: transaction)
    }
}

/// An item under its lock, with what hangs on it.
struct LockedPage: Sendable {
    let item: LockedItem
    let fields: [ReadFields.Row]
    /// Not locked.
    let target: RecallTarget.Row
    /// This transaction has made it: there is nothing of it yet.
    let isNew: Bool
    /// A job waits that will follow up what this transaction changes.
    let isAwaited: Bool
}

/// What is to be written of a page, in one round trip.
struct PageWrites: Sendable {
    var batch = PostgresBatch()
    var edges: (place: Int, targets: PageTargets, isChange: Bool)?
}
