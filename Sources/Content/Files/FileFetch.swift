import FoundationEssentials
import HTTPTransport
import Synchronization
import Tenure
import TenureWorker
import Web

/// Fetches a file of any size: what arrives is committed piece by piece, and whichever worker has
/// the job next goes on where the last piece ends. What was complete stays until the new content
/// is.
struct FileFetch: Sendable {
    let parts: ContentParts
    let context: JobContext
    /// Less than this is no reason to give an attempt back: else a server that lets go after every
    /// byte would be asked a thousand times.
    private static let leastProgress: Int64 = 256 << 10

    func run(_ job: ContentFetch) async throws -> JobOutcome {
        let url: WebURL
        do {
            url = try WebURL.parse(job.url).withoutFragment
        } catch {
            return .discard(reason: "\(error)")
        }
        // Apart: these may take a while, and belong to nobody's transaction.
        _ = try await parts.pool.execute(DropUnusedBodies())
        _ = try await parts.pool.execute(DropUnusedDownloads())
        let (items, files, downloads) = try await parts.pool.pipeline(
            ReadItem(url: url.href), ReadFile(url: url.href), ReadDownload(url: url.href))
        guard let item = items.first else {
            throw ContentError(.newerDatabase, "the item could not be read")
        }
        let (known, begun) = (files.first, downloads.first)
        if job.isSecondLook == true {
            if item.missingSince == nil {
                let isDeleted = item.createdAt == nil
                return try .completed(
                    result: FileResult(outcome: isDeleted ? "itemDeleted" : "notMissing"))
            }
        } else if let known, known.isFresh, !job.force, begun == nil {
            return try .completed(result: FileResult(outcome: "fresh"))
        }
        let memory = FileMemory(
            known: known, begun: begun, isForced: job.force, askedAt: item.now)
        if let begun, begun.isWhole {
            // All of it came, and its run had no time to say so.
            return try await keep(begun, of: url, Visit(state: .ok, status: 200), memory)
        }
        return try await fetch(url, job, memory)
    }

    private func fetch(
        _ url: WebURL, _ job: ContentFetch, _ memory: FileMemory
    ) async throws -> JobOutcome {
        let request = FileRequest(
            transport: parts.visitor.transport, limits: parts.configuration.fileLimits,
            rest: memory.rest, known: memory.condition)
        var answer: HTTPResponse?
        let trip = Trip(parts: parts, context: context)
        let end = try await trip.follow(url, job.trail, goingOn: job.following) { url, policy in
            let (visit, response) = try await request.send(url, policy)
            answer = response
            return visit
        }
        try context.checkRight()
        let visit: Visit
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let deferred, let host): return deferred.snooze(host)
        case .visit(let last): visit = last
        }
        switch visit.failure {
        case .deferred: return visit.snooze(url)
        case .transient: throw FetchFailure(visit: visit)
        case .permanent, .blocked: return try await fail(visit, url, job, memory)
        case nil: break
        }
        guard let response = answer, let document = visit.document else {
            return try await fail(visit, url, job, memory)
        }
        let file = FileAnswer(url: url, visit: visit, document: document, response: response)
        return try await take(file, memory)
    }

    private func take(_ file: FileAnswer, _ memory: FileMemory) async throws -> JobOutcome {
        switch FileReply(file.response, asked: memory.rest, now: .now) {
        case .unchanged: return try await confirm(file)
        case .nothingLeft:
            guard let download = memory.rest else { break }
            return try await keep(download, of: file.url, file.visit, memory)
        case .rest(let total, let stop):
            guard var download = memory.rest else { break }
            download.total = total
            return try await receive(file, download, until: stop, memory)
        case .whole(let total, let validator):
            let download = try await start(file, total: total, validator: validator)
            return try await receive(file, download, until: total, memory)
        case .unusable(let why): return try await giveUp(file, why)
        }
        return try await giveUp(file, "an answer to nothing that was asked")
    }

    /// In the place of what had come so far, if anything had.
    private func start(
        _ file: FileAnswer, total: Int64?, validator: String?
    ) async throws -> Download {
        let started = Mutex<Int64?>(nil)
        let head = FileHead(file.document)
        try await context.checkpoint { transaction in
            let url = file.url.href
            _ = try await transaction.execute(EndDownload(url: url))
            let id = try await transaction.execute(
                StartDownload(url: url, total: total, validator: validator, head: head)
            ).first
            started.withLock { $0 = id }
        }
        guard let id = started.withLock({ $0 }) else {
            throw DownloadTaken()
        }
        return Download(
            id: id, received: 0, total: total, validator: validator, hash: SHA256(), head: head)
    }

    // MARK: The body

    private func receive(
        _ file: FileAnswer, _ download: Download, until stop: Int64?, _ memory: FileMemory
    ) async throws -> JobOutcome {
        var writer = ChunkWriter(download, context: context)
        do {
            for try await bytes in file.response.body {
                try await writer.take(bytes, until: stop)
            }
            try await writer.flush()
        } catch let error as HTTPTransportError {
            try context.checkRight()
            if download.validator != nil { try await writer.flush() }
            return try interrupted(.failed(error), writer, since: download, memory)
        } catch let mismatch as FileMismatch {
            return try await giveUp(file, mismatch.description)
        }
        let received = writer.download
        if let stop, received.received < stop {
            let short = Visit.failed("truncated", "less than announced", .transient)
            return try interrupted(short, writer, since: download, memory)
        }
        if received.total.map({ received.received < $0 }) ?? (download.received > 0) {
            // A part of the rest, as whole as it was announced: the next one is asked for.
            let part = Visit.failed("partial", "only a part of the rest came", .transient)
            return try interrupted(part, writer, since: download, memory)
        }
        writer.conclude(nil)
        return try await keep(received, of: file.url, file.visit, memory)
    }

    /// What has come stays. That the connection didn't last costs no attempt if the next one gains
    /// from it; else, or when the file had to be begun anew, it is a failure like any other.
    private func interrupted(
        _ visit: Visit, _ writer: ChunkWriter, since start: Download, _ memory: FileMemory
    ) throws -> JobOutcome {
        let download = writer.download
        writer.conclude("interrupted: \(visit.detail ?? visit.code ?? "")")
        let hasGained = download.received - start.received >= Self.leastProgress
        guard download.canGoOn, hasGained, !memory.isBegunAnew(by: start) else {
            throw FetchFailure(visit: visit)
        }
        return .snooze(for: parts.configuration.hostInterval)
    }

    // MARK: Ends

    private func keep(
        _ download: Download, of url: WebURL, _ visit: Visit, _ memory: FileMemory
    ) async throws -> JobOutcome {
        if let old = memory.known?.hash { _ = try await parts.pool.execute(SpareBody(hash: old)) }
        let outcome = try JobOutcome.completed(
            result: FileResult(
                outcome: "stored", status: visit.status, bytes: download.received,
                hash: download.hash.digest.hex))
        let freshFor = visit.document?.freshFor ?? .zero
        return try await context.commit(outcome) { transaction in
            _ = try await transaction.execute(
                NoteFile(url: url.href, outcome: .stored, status: visit.status))
            guard try await !transaction.execute(CloseDownload(download: download)).isEmpty else {
                throw DownloadTaken()
            }
            _ = try await transaction.execute(KeepLargeBody(download: download))
            _ = try await transaction.execute(
                StoreFile(url: url.href, download: download, freshFor: freshFor))
            try await remember(visit, url, in: transaction)
        }
    }

    private func confirm(_ file: FileAnswer) async throws -> JobOutcome {
        try await context.commit(
            try .completed(result: FileResult(outcome: "unchanged", status: 304))
        ) { transaction in
            _ = try await transaction.execute(
                NoteFile(url: file.url.href, outcome: .unchanged, status: 304))
            _ = try await transaction.execute(
                ConfirmFile(url: file.url.href, freshFor: file.document.freshFor))
            _ = try await transaction.execute(EndDownload(url: file.url.href))
            try await remember(file.visit, file.url, in: transaction)
        }
    }

    /// The item is read again, locked: when it was first missing counts, in whatever mode.
    private func fail(
        _ visit: Visit, _ url: WebURL, _ job: ContentFetch, _ memory: FileMemory
    ) async throws -> JobOutcome {
        let code = visit.code ?? visit.state.rawValue
        return try await context.commit(
            try .completed(result: FileResult(outcome: code, status: visit.status))
        ) { transaction in
            let (_, items) = try await transaction.pipeline(
                MakeItem(url: url.href), LockItem(url: url.href))
            var sightings = items.first?.sightings ?? Sightings()
            let isGone = sightings.failed(status: visit.status, now: memory.askedAt)
            _ = try await transaction.execute(
                NoteFile(
                    url: url.href, outcome: isGone ? .gone : .failed, code: code,
                    status: visit.status, missingSince: sightings.missingSince))
            try await remember(visit, url, in: transaction)
            if !isGone, visit.status == 404, let since = sightings.missingSince {
                let look = SecondLook(at: url, after: job, parts: parts, context: context)
                try look.enqueue(missingSince: since, now: memory.askedAt, in: transaction)
            }
        }
    }

    /// Begins anew the next time, which costs an attempt: a server that contradicts itself may go
    /// on to do so.
    private func giveUp(_ file: FileAnswer, _ why: String) async throws -> JobOutcome {
        file.response.body.cancel()
        try await context.checkpoint { transaction in
            _ = try await transaction.execute(EndDownload(url: file.url.href))
        }
        throw FetchFailure(visit: .failed("badRange", why, .transient))
    }

    private func remember(
        _ visit: Visit, _ url: WebURL, in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
        let memory = TargetMemory(url: url, context: context, parts: parts)
        _ = try await memory.take(visit, strict: false, in: transaction)
    }
}
