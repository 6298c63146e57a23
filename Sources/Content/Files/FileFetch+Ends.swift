import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// How a file's fetch ends for its item, behind the fence: each run that has asked leaves a row.
extension FileFetch {
    func keep(
        _ download: Download, _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        if let old = memory.known?.hash { _ = try await parts.pool.execute(SpareBody(hash: old)) }
        let outcome = try JobOutcome.completed(
            result: FileResult(
                outcome: "stored", status: visit.status, bytes: download.received,
                hash: download.hash.digest.hex))
        let freshFor = visit.document?.freshFor ?? .zero
        return try await context.commit(outcome) { transaction in
            let result = FetchResult(.stored, status: visit.status)
            try await note(result, record, memory, in: transaction)
            guard try await !transaction.execute(CloseDownload(download: download)).isEmpty else {
                throw DownloadTaken()
            }
            _ = try await transaction.execute(KeepLargeBody(download: download))
            _ = try await transaction.execute(
                StoreFile(url: memory.url.href, download: download, freshFor: freshFor))
            try await remember(visit, memory.url, in: transaction)
        }
    }

    func confirm(_ file: FileAnswer, _ memory: FileMemory) async throws -> JobOutcome {
        try await context.commit(
            try .completed(result: FileResult(outcome: "unchanged", status: 304))
        ) { transaction in
            let url = memory.url.href
            let result = FetchResult(.unchanged, status: 304)
            try await note(result, file.record, memory, in: transaction)
            _ = try await transaction.execute(
                ConfirmFile(url: url, freshFor: file.document.freshFor))
            _ = try await transaction.execute(EndDownload(url: url))
            try await remember(file.visit, memory.url, in: transaction)
        }
    }

    /// - Parameter job: what is done again a day later where the file was missing.
    func fail(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory, after job: ContentFetch? = nil
    ) async throws -> JobOutcome {
        let code = visit.code ?? visit.state.rawValue
        return try await context.commit(
            try .completed(result: FileResult(outcome: code, status: visit.status))
        ) { transaction in
            let first = try await note(visit, record, memory, in: transaction)
            try await remember(visit, memory.url, in: transaction)
            if let job, let first {
                let look = SecondLook(at: memory.url, after: job, parts: parts, context: context)
                try look.enqueue(missingSince: first, now: record.askedAt, in: transaction)
            }
        }
    }

    /// A failure that may pass: noted, and the job is tried again.
    func miss(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        try await context.checkpoint { transaction in
            _ = try await note(visit, record, memory, in: transaction)
            try await remember(visit, memory.url, in: transaction)
        }
        throw FetchFailure(visit: visit)
    }

    /// No attempt is charged: the host waits, or more of the file is there than before.
    func putOff(
        _ outcome: JobOutcome, _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        try await context.commit(outcome) { transaction in
            // Without a request there is nothing to tell.
            guard record.hops.hasAsked else { return }
            try await lock(memory, in: transaction)
            try await add(visit.fileResult(), record, memory, isCharged: false, in: transaction)
        }
    }

    /// There is more of it than may come: nothing of it stays.
    func refuse(
        _ visit: Visit, _ file: FileAnswer, _ memory: FileMemory
    ) async throws -> JobOutcome {
        file.response.body.cancel()
        try await context.checkpoint { transaction in
            _ = try await transaction.execute(EndDownload(url: memory.url.href))
        }
        return try await fail(visit, file.record, memory)
    }

    /// Begins anew the next time, which costs an attempt: a server that contradicts itself may go
    /// on to do so.
    func giveUp(
        _ file: FileAnswer, _ why: String, _ memory: FileMemory
    ) async throws -> JobOutcome {
        file.response.body.cancel()
        let visit = Visit.failed("badRange", why, .transient)
        try await context.checkpoint { transaction in
            _ = try await note(visit, file.record, memory, in: transaction)
            _ = try await transaction.execute(EndDownload(url: memory.url.href))
        }
        throw FetchFailure(visit: visit)
    }

    /// Whether the item is still the one that it was before the request.
    func isThere(_ memory: FileMemory) async throws -> Bool {
        guard let createdAt = memory.item.createdAt else { return true }
        let now = try await parts.pool.execute(ReadItem(url: memory.url.href)).first
        return now?.createdAt == createdAt
    }

    // MARK: In the transaction

    private func note(
        _ result: FetchResult, _ record: FetchRecord, _ memory: FileMemory,
        in transaction: PostgresTransaction
    ) async throws {
        try await lock(memory, in: transaction)
        _ = try await transaction.execute(
            NoteFile(
                url: memory.url.href, outcome: result.outcome, code: result.code,
                status: result.status))
        try await add(result, record, memory, in: transaction)
    }

    /// A failure. The item is read again, locked: when it was first missing counts, in whatever
    /// mode.
    /// - Returns: when it was first missing, where it is not yet gone for that.
    private func note(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory,
        in transaction: PostgresTransaction
    ) async throws -> Date? {
        var item = try await lock(memory, in: transaction)
        if item == nil {
            item = try await transaction.pipeline(
                MakeItem(url: memory.url.href), LockItem(url: memory.url.href)
            ).1.first
        }
        var sightings = item?.sightings ?? Sightings()
        let isGone = sightings.failed(status: visit.status, now: record.askedAt)
        let result = visit.fileResult(isGone: isGone)
        _ = try await transaction.execute(
            NoteFile(
                url: memory.url.href, outcome: result.outcome, code: result.code,
                status: result.status, missingSince: sightings.missingSince))
        try await add(result, record, memory, in: transaction)
        return visit.status == 404 && !isGone ? sightings.missingSince : nil
    }

    /// The item as it is now, or nil where there was none. Throws `ItemDeleted` where it is gone,
    /// or is another by now.
    @discardableResult
    private func lock(
        _ memory: FileMemory, in transaction: PostgresTransaction
    ) async throws -> LockedItem? {
        guard let createdAt = memory.item.createdAt else { return nil }
        let item = try await transaction.execute(LockItem(url: memory.url.href)).first
        guard item?.createdAt == createdAt else { throw ItemDeleted() }
        return item
    }

    private func add(
        _ result: FetchResult, _ record: FetchRecord, _ memory: FileMemory,
        isCharged: Bool? = nil, in transaction: PostgresTransaction
    ) async throws {
        let item = Digest.id(of: memory.url.href)
        _ = try await transaction.pipeline(
            DropOldFetches(item: item),
            AddFetch(item: item, record: record, result: result, isCharged: isCharged))
    }

    private func remember(
        _ visit: Visit, _ url: WebURL, in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
        let memory = TargetMemory(url: url, context: context, parts: parts)
        _ = try await memory.take(visit, strict: false, in: transaction)
    }
}

extension Visit {
    /// As the item of a file notes it that has brought nothing.
    fileprivate func fileResult(isGone: Bool = false) -> FetchResult {
        let outcome: FetchOutcome = state == .skipped ? .skipped : isGone ? .gone : .failed
        var result = FetchResult(outcome, code: code ?? state.rawValue, status: status)
        result.failure = failure
        return result
    }
}
