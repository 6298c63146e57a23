import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// What a fetch's answer means for its item: read again under its lock, merged, and committed
/// behind the fence.
struct FetchEnding: Sendable {
    let fetch: ItemFetch
    let job: ContentFetch
    let url: WebURL
    /// Its item's id, which is its target's.
    let item: UUID
    /// As it was before the request.
    let known: ReadItems.Row
    var visit: Visit
    let record: FetchRecord

    init(
        fetch: ItemFetch, job: ContentFetch, url: WebURL, known: ReadItems.Row, visit: Visit,
        record: FetchRecord
    ) {
        (self.fetch, self.job, self.url, self.known) = (fetch, job, url, known)
        (self.visit, self.record) = (visit, record)
        item = Digest.id(of: url.href)
    }

    var context: JobContext { fetch.context }
    private var parts: ContentParts { fetch.parts }

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
            let row = AddFetches.Entry(
                item: item, record: record, result: result(.failed), isCharged: false)
            _ = try await transaction.pipeline(
                PlanByKeys(), DropOldFetches(items: [item]), AddFetches(rows: [row]))
        }
    }

    /// A failure that may pass: noted, and the job is tried again.
    func miss() async throws {
        try await withTargets {
            try await context.checkpoint { try await PageEnd.write([PageEnd(self, .fail)], in: $0) }
        }
    }

    func fail(_ outcome: JobOutcome = .completed) async throws -> JobOutcome {
        try await end(.fail, as: outcome)
    }

    private func take() async throws -> JobOutcome {
        guard visit.state != .skipped, let answer = record.hops.last,
            let document = answer.document
        else { return try await end(.skip(visit.code ?? "skipped")) }
        if answer.status == 304 || answer.status == 206 {
            return try await takeWithoutBody(answer)
        }
        guard document.body != nil else { return try await end(.skip("type")) }
        let extract = Extract(document, asked: url, limits: job.limits)
        let storing = try ItemStoring(self, document, extract, answer)
        return try await end(.store(storing), storing.seen.targets)
    }

    /// In one commit with other pages that are ready.
    private func end(
        _ way: PageEnd.Way, _ targets: PageTargets = PageTargets([]),
        as outcome: JobOutcome = .completed
    ) async throws -> JobOutcome {
        try await withTargets(targets) {
            try await context.commit(PageEnd(self, way), by: fetch.pages, as: outcome)
        }
    }

    /// Runs `body` with its own target made, and others.
    func withTargets<Value>(
        _ others: PageTargets = PageTargets([]), _ body: () async throws -> Value
    ) async throws -> Value {
        let targets =
            [(id: item, href: url.href)]
            + zip(others.ids, others.hrefs).map { (id: $0, href: $1) }
        return try await fetch.targets.with(targets, body)
    }

    /// An answer that only means something to the request that was made.
    private func takeWithoutBody(_ answer: Visit) async throws -> JobOutcome {
        let wasAsked =
            !job.force && known.serves(job.mode) && known.finalURL == answer.document?.url.href
        guard answer.status == 304, wasAsked else {
            var ending = self
            ending.visit = .failed(
                "\(answer.status ?? 0)", "HTTP status \(answer.status ?? 0), unasked",
                status: answer.status)
            return try await ending.fail()
        }
        return try await end(.confirm(answer))
    }

    /// The status is that of the answer that failed; a loop of redirects has none.
    func result(_ outcome: FetchOutcome, code: String? = nil) -> FetchResult {
        let status = visit.failure == nil ? record.hops.last?.status : visit.status
        var result = FetchResult(outcome, code: code ?? visit.code, status: status)
        result.failure = visit.failure
        return result
    }

    /// Without the code of the redirects on the way.
    func plain(_ outcome: FetchOutcome) -> FetchResult {
        FetchResult(outcome, status: record.hops.last?.status)
    }
}

// MARK: In the transaction

extension FetchEnding {
    func lock(in transaction: PostgresTransaction) async throws -> LockedPage {
        try await LockedPage.lock([self], in: transaction)[0]
    }

    /// Writes how it ended with the item, and nothing else.
    func write(
        _ note: ItemNote, _ page: LockedPage, in transaction: PostgresTransaction
    ) async throws {
        var changes = PageChanges()
        try await add(note, page, to: &changes, in: transaction)
        try await changes.write(in: transaction)
    }

    func noteFailure(
        _ page: LockedPage, to changes: inout PageChanges, in transaction: PostgresTransaction
    ) async throws {
        var sightings = page.item.sightings
        let isGone = sightings.failed(status: visit.status, now: record.askedAt)
        let outcome: FetchOutcome = visit.state == .skipped ? .skipped : isGone ? .gone : .failed
        let note = ItemNote(result(outcome), page.item, sightings)
        try await add(note, page, to: &changes, in: transaction)
        if !isGone, visit.status == 404, let since = sightings.missingSince {
            let look = MissingItemLook(at: url, after: job, parts: parts, context: context)
            try look.enqueue(missingSince: since, now: record.askedAt, in: transaction)
        }
    }

    func confirm(
        _ answer: Visit, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        let item = page.item
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: record.hops.permanentTarget, now: record.askedAt)
        let note = ItemNote(plain(hasMoved ? .moved : .unchanged), item, sightings)
        // Another document may have been seen meanwhile: then this answer is not about it.
        guard item.hash == known.hash, item.askedAt ?? .distantPast <= record.askedAt else {
            return try await add(note, page, to: &changes, in: transaction)
        }
        changes.pages.confirm(item, by: answer, askedAt: record.askedAt, note)
        changes.answered.append(item.id)
        try await add(note.result, page, to: &changes, in: transaction)
    }

    /// How it ended with the item, after what is to be written before that.
    func add(
        _ note: ItemNote, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        changes.notes.append(note.entry(of: page.item.id))
        try await add(note.result, page, to: &changes, in: transaction)
    }

    /// How it ended among the item's fetches, and what is known of the target by now.
    /// - Parameter isChange: something follows from it.
    func add(
        _ result: FetchResult, _ page: LockedPage, isChange: Bool = false,
        to changes: inout PageChanges, in transaction: PostgresTransaction
    ) async throws {
        if !page.item.isNew { changes.fetchedBefore.append(page.item.id) }
        changes.fetches.append(
            AddFetches.Entry(item: page.item.id, record: record, result: result))
        let memory = TargetMemory(context: context, parts: parts)
        changes.targets.append(
            try await memory.take(visit, of: url, into: page.target, in: transaction))
        if isChange { changes.note(page.item, of: self) }
    }
}
