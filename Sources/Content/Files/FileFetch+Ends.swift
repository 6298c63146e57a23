import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// How a file's fetch ends for its item, behind the fence: each run that has asked leaves a row.
extension FileFetch {
    private func ending(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) -> FetchEnding {
        FetchEnding(
            fetch: fetch, job: job, url: memory.url, known: memory.item, visit: visit,
            record: record)
    }

    func keep(
        _ download: Download, _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        if let old = memory.known?.hash { _ = try await parts.pool.execute(SpareBody(hash: old)) }
        let outcome = try JobOutcome.completed(
            result: FileResult(
                outcome: "stored", status: visit.status, bytes: download.received,
                hash: download.hash.digest.hex))
        return try await found(.stored, ending(visit, record, memory), outcome) { transaction in
            guard try await !transaction.execute(CloseDownload(download: download)).isEmpty else {
                throw DownloadTaken()
            }
            _ = try await transaction.pipeline(
                KeepLargeBody(download: download),
                StoreFile(url: memory.url.href, download: download, freshFor: visit.freshFor))
        }
    }

    func confirm(_ file: FileAnswer, _ memory: FileMemory) async throws -> JobOutcome {
        let outcome = try JobOutcome.completed(
            result: FileResult(outcome: "unchanged", status: 304))
        let ending = ending(file.visit, file.record, memory)
        return try await found(.unchanged, ending, outcome) { transaction in
            let url = memory.url.href
            _ = try await transaction.pipeline(
                ConfirmFile(url: url, freshFor: file.visit.freshFor), EndDownload(url: url))
        }
    }

    private func found(
        _ outcome: FetchOutcome, _ ending: FetchEnding, _ end: JobOutcome,
        _ write: @escaping @Sendable (PostgresTransaction) async throws -> Void
    ) async throws -> JobOutcome {
        try await ending.withTargets {
            try await context.commit(end) { transaction in
                let page = try await ending.lock(in: transaction)
                try await write(transaction)
                let result = FetchResult(outcome, status: ending.visit.status)
                var note = ItemNote(result, page.item)
                note.sightings.missingSince = nil
                note.look = outcome == .stored ? .changed : .unchanged
                try await ending.write(note, page, in: transaction)
            }
        }
    }

    func fail(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        let code = visit.code ?? visit.state.rawValue
        return try await ending(visit, record, memory).fail(
            try .completed(result: FileResult(outcome: code, status: visit.status)))
    }

    /// A failure that may pass: noted, and the job is tried again.
    func miss(
        _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        try await ending(visit, record, memory).miss()
        throw FetchFailure(visit: visit)
    }

    /// No attempt is charged: the host waits, or more of the file is there than before.
    func putOff(
        _ outcome: JobOutcome, _ visit: Visit, _ record: FetchRecord, _ memory: FileMemory
    ) async throws -> JobOutcome {
        guard try await isThere(memory) else { throw ItemDeleted() }
        return try await ending(visit, record, memory).putOff(outcome)
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
    /// on to do so. It is there all the same.
    func giveUp(
        _ file: FileAnswer, _ why: String, _ memory: FileMemory
    ) async throws -> JobOutcome {
        file.response.body.cancel()
        let visit = Visit.failed("badRange", why, .transient)
        let result = ending(visit, file.record, memory).result(.failed)
        let ending = ending(file.visit, file.record, memory)
        try await ending.withTargets {
            try await context.checkpoint { transaction in
                let page = try await ending.lock(in: transaction)
                _ = try await transaction.execute(EndDownload(url: memory.url.href))
                try await ending.write(ItemNote(result, page.item), page, in: transaction)
            }
        }
        throw FetchFailure(visit: visit)
    }

    /// Whether the item is still the one that it was before the request.
    func isThere(_ memory: FileMemory) async throws -> Bool {
        guard let createdAt = memory.item.createdAt else { return true }
        let now = try await parts.pool.execute(ReadItems(hrefs: [memory.url.href])).first
        return now?.createdAt == createdAt
    }
}
