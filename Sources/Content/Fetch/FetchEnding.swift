import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// What a fetch's answer means for its item: read again under its lock, merged, and committed
/// behind the fence.
struct FetchEnding: Sendable {
    let fetch: ItemFetch
    let job: ContentFetch
    let url: WebURL
    /// As it was before the request.
    let known: ReadItem.Row
    var visit: Visit
    let record: FetchRecord

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
            let item = Digest.id(of: url.href)
            _ = try await transaction.pipeline(
                DropOldFetches(item: item),
                AddFetch(item: item, record: record, result: result(.failed), isCharged: false))
        }
    }

    /// A failure that may pass: noted, and the job is tried again.
    func miss() async throws {
        try await withTargets {
            try await context.checkpoint { try await noteFailure(in: $0) }
        }
    }

    func fail(_ outcome: JobOutcome = .completed) async throws -> JobOutcome {
        try await withTargets {
            try await context.commit(outcome) { try await noteFailure(in: $0) }
        }
    }

    private func take() async throws -> JobOutcome {
        guard visit.state != .skipped, let answer = record.hops.last,
            let document = answer.document
        else { return try await skip(visit.code ?? "skipped") }
        if answer.status == 304 || answer.status == 206 {
            return try await takeWithoutBody(answer)
        }
        guard document.body != nil else { return try await skip("type") }
        let extract = Extract(document, asked: url, limits: job.limits)
        let storing = try ItemStoring(self, document, extract, answer)
        return try await withTargets(storing.seen.targets) {
            try await context.commit { try await storing.store(in: $0) }
        }
    }

    /// Runs `body` with its own target made, and others.
    func withTargets<Value>(
        _ others: PageTargets = PageTargets([]), _ body: () async throws -> Value
    ) async throws -> Value {
        let targets =
            [(id: Digest.id(of: url.href), href: url.href)]
            + zip(others.ids, others.hrefs).map { (id: $0, href: $1) }
        return try await fetch.targets.with(targets, in: parts.pool, body)
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
        return try await withTargets {
            try await context.commit { try await confirm(answer, in: $0) }
        }
    }

    private func skip(_ code: String) async throws -> JobOutcome {
        try await withTargets {
            try await context.commit { transaction in
                let page = try await lock(in: transaction)
                let note = ItemNote(result(.skipped, code: code), page.item)
                try await write(note, page, in: transaction)
            }
        }
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
    /// Reads the item again, locked, with its target. One that nobody had seen is made; one that is
    /// gone, or is another by now, stays as it is.
    func lock(in transaction: PostgresTransaction) async throws -> LockedPage {
        var locks = try ItemLocks([url]) { _ in known.createdAt == nil }
        let id = Digest.id(of: url.href)
        let fields = try locks.bundle.add(ReadFields(item: id))
        let target = try locks.bundle.add(ReadTarget(id: id))
        let reply = try await transaction.run(locks.bundle)
        guard let item = try locks.items(of: reply)[url.href],
            known.createdAt == nil || item.createdAt == known.createdAt
        else { throw ItemDeleted() }
        guard let target = try reply.rows(as: ReadTarget.self, of: target).first else {
            throw TargetsGone(ids: [id])
        }
        return LockedPage(
            item: item, fields: try reply.rows(as: ReadFields.self, of: fields), target: target)
    }

    private func noteFailure(in transaction: PostgresTransaction) async throws {
        let page = try await lock(in: transaction)
        var sightings = page.item.sightings
        let isGone = sightings.failed(status: visit.status, now: record.askedAt)
        let outcome: FetchOutcome = visit.state == .skipped ? .skipped : isGone ? .gone : .failed
        let note = ItemNote(result(outcome), page.item, sightings)
        try await write(note, page, in: transaction)
        if !isGone, visit.status == 404, let since = sightings.missingSince {
            let look = MissingItemLook(at: url, after: job, parts: parts, context: context)
            try look.enqueue(missingSince: since, now: record.askedAt, in: transaction)
        }
    }

    private func confirm(_ answer: Visit, in transaction: PostgresTransaction) async throws {
        let page = try await lock(in: transaction)
        let item = page.item
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: record.hops.permanentTarget, now: record.askedAt)
        let note = ItemNote(plain(hasMoved ? .moved : .unchanged), item, sightings)
        // Another document may have been seen meanwhile: then this answer is not about it.
        guard item.hash == known.hash, item.askedAt ?? .distantPast <= record.askedAt else {
            return try await write(note, page, in: transaction)
        }
        var writer = PageWriter()
        try writer.confirm(item, by: answer, askedAt: record.askedAt, note)
        try writer.bundle.add(DropCandidate(item: item.id))
        try await write(writer, note.result, page, in: transaction)
    }

    /// Writes how it ended with the item, after what is to be written before that.
    func write(
        _ note: ItemNote, _ page: LockedPage, after writer: PageWriter = PageWriter(),
        in transaction: PostgresTransaction
    ) async throws {
        var writer = writer
        try writer.bundle.add(NoteItem(item: page.item.id, note: note))
        try await write(writer, note.result, page, in: transaction)
    }

    /// Writes what was gathered, how it ended among the item's fetches, and what is known of the
    /// target by now; all of it in one round trip.
    /// - Parameter isChange: something follows from it.
    func write(
        _ writer: PageWriter, _ result: FetchResult, _ page: LockedPage, isChange: Bool = false,
        in transaction: PostgresTransaction
    ) async throws {
        var writer = writer
        if !page.item.isNew { try writer.bundle.add(DropOldFetches(item: page.item.id)) }
        try writer.bundle.add(AddFetch(item: page.item.id, record: record, result: result))
        _ = try await TargetMemory(context: context, parts: parts)
            .take(visit, of: url, into: page.target, by: &writer.bundle, in: transaction)
        let pause = parts.configuration.changePause
        let noted =
            isChange
            ? try writer.bundle.add(
                NoteChange(item: page.item.id, queue: context.queue, pause: pause)) : nil
        let reply = try await writer.write(in: transaction)
        if let noted, try !reply.rows(as: NoteChange.self, of: noted).isEmpty {
            let job = try ChangeFollowUp.job(in: context.queue, after: pause)
            try context.client.enqueue([job], in: transaction)
        }
    }
}

/// An item under its lock, with what hangs on it.
struct LockedPage: Sendable {
    let item: LockedItem
    let fields: [ReadFields.Row]
    let target: ReadTarget.Row
}
