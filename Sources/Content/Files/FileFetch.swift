// docs/decisions/files.md

import HTTPTransport
import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Fetches a file of any size: what arrives is committed piece by piece, and whichever worker has
/// the job next goes on where the last piece ends. What was complete stays until the new content
/// is.
struct FileFetch: Sendable {
    let fetch: ItemFetch
    let job: ContentFetch
    var parts: ContentParts { fetch.parts }
    var context: JobContext { fetch.context }
    /// Less than this is no reason to give an attempt back: else a server that lets go after every
    /// byte would be asked a thousand times.
    private static let leastProgress: Int64 = 256 << 10

    func run() async throws -> JobOutcome {
        let url: WebURL
        do {
            url = try job.checkedURL()
        } catch {
            return .discard(reason: error.description)
        }
        // Apart: these may take a while, and belong to nobody's transaction.
        _ = try await parts.pool.execute(DropUnusedBodies())
        _ = try await parts.pool.execute(DropUnusedDownloads())
        let (items, files, downloads) = try await parts.pool.pipeline(
            ReadItems(hrefs: [url.href]), ReadFile(url: url.href), ReadDownload(url: url.href))
        guard let item = items.first else {
            throw ContentError(.newerDatabase, "the item could not be read")
        }
        let (known, begun) = (files.first, downloads.first)
        if job.isRefetch == true, item.isUnwatched {
            return try .completed(result: FileResult(outcome: "notWatched"))
        }
        if job.looksForMissing == true {
            if item.missingSince == nil {
                let isDeleted = item.createdAt == nil
                return try .completed(
                    result: FileResult(outcome: isDeleted ? "itemDeleted" : "notMissing"))
            }
        } else if let known, known.isFresh, !job.force, begun == nil {
            return try .completed(result: FileResult(outcome: "fresh"))
        }
        let memory = FileMemory(
            url: url, item: item, known: known, begun: begun, isForced: job.force)
        do {
            return try await ask(memory)
        } catch is ItemDeleted {
            return try .completed(result: FileResult(outcome: "itemDeleted"))
        } catch let taken as DownloadTaken {
            // An item takes its open download along.
            guard try await isThere(memory) else {
                return try .completed(result: FileResult(outcome: "itemDeleted"))
            }
            throw taken
        }
    }

    private func ask(_ memory: FileMemory) async throws -> JobOutcome {
        let trip = Trip(parts: parts, context: context)
        let trail = try await trip.trail(from: memory.url)
        var record = FetchRecord(
            job: context.jobID.uuid, run: context.runs, mode: job.mode.rawValue,
            askedAt: memory.item.now, hops: Hops(limits: job.limits, trail: trail))
        if let begun = memory.begun, begun.isWhole {
            // All of it came, and its run had no time to say so.
            return try await keep(begun, Visit(state: .ok, status: 200), record, memory)
        }
        let request = FileRequest(
            visitor: parts.visitor, rest: memory.rest, known: memory.condition)
        var answer: HTTPResponse?
        let end = try await trip.follow(memory.url, trail, as: job) {
            url, policy, _ in
            var policy = policy
            policy.limits = parts.configuration.fileLimits
            return try await record.hops.ask(url, policy) { url, policy in
                let (visit, response) = try await request.send(url, policy)
                answer = response
                return visit
            }
        }
        try context.checkRight()
        let visit: Visit
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let deferred, let host):
            return try await putOff(deferred.snooze(host), deferred, record, memory)
        case .visit(let last): visit = last
        }
        record.detail = visit.detail
        switch visit.failure {
        case .deferred: return try await putOff(visit.snooze(memory.url), visit, record, memory)
        case .transient: return try await miss(visit, record, memory)
        case .permanent, .blocked: return try await fail(visit, record, memory)
        case nil: break
        }
        guard let response = answer, let document = visit.document else {
            return try await fail(visit, record, memory)
        }
        let file = FileAnswer(visit, document, response, record)
        return try await take(file, memory, most: job.limits?.wireBytes)
    }

    /// - Parameter most: the payload's limit, of all that there is.
    private func take(
        _ file: FileAnswer, _ memory: FileMemory, most: Int?
    ) async throws -> JobOutcome {
        let reply = FileReply(file.response, asked: memory.rest, now: .now)
        if let most, reply.bytes > most {
            return try await refuse(
                .failed("bodyTooLarge", "more than \(most) bytes", status: file.visit.status),
                file, memory)
        }
        switch reply {
        case .unchanged: return try await confirm(file, memory)
        case .nothingLeft:
            guard let download = memory.rest else { break }
            return try await keep(download, file.visit, file.record, memory)
        case .rest(let total, let stop):
            guard var download = memory.rest else { break }
            download.total = total
            return try await receive(file, download, until: stop, memory)
        case .whole(let total, let validator):
            let download = try await start(file, memory, total: total, validator: validator)
            return try await receive(file, download, until: total, memory)
        case .unusable(let why): return try await giveUp(file, why, memory)
        }
        return try await giveUp(file, "an answer to nothing that was asked", memory)
    }

    /// In the place of what had come so far, if anything had.
    private func start(
        _ file: FileAnswer, _ memory: FileMemory, total: Int64?, validator: String?
    ) async throws -> Download {
        let started = Mutex<Int64?>(nil)
        let head = FileHead(file.document)
        try await context.checkpoint { transaction in
            let url = memory.url.href
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
        var writer = DownloadWriter(download, context: context)
        do {
            for try await bytes in file.response.body {
                try await writer.take(bytes, until: stop)
            }
            try await writer.flush()
        } catch let error as HTTPTransportError {
            try context.checkRight()
            if error.visitClass == .permanent {
                return try await refuse(.failed(error), file, memory)
            }
            if download.validator != nil { try await writer.flush() }
            return try await interrupted(.failed(error), file, writer, since: download, memory)
        } catch let mismatch as FileMismatch {
            return try await giveUp(file, mismatch.description, memory)
        }
        let received = writer.download
        if let stop, received.received < stop {
            let short = Visit.failed("truncated", "less than announced", .transient)
            return try await interrupted(short, file, writer, since: download, memory)
        }
        if received.total.map({ received.received < $0 }) ?? (download.received > 0) {
            // A part of the rest, as whole as it was announced: the next one is asked for.
            let part = Visit.failed("partial", "only a part of the rest came", .transient)
            return try await interrupted(part, file, writer, since: download, memory)
        }
        writer.conclude(nil)
        return try await keep(received, file.visit, file.record, memory)
    }

    /// What has come stays. That the connection didn't last costs no attempt if the next one gains
    /// from it; else, or when the file had to be begun anew, it is a failure like any other.
    private func interrupted(
        _ visit: Visit, _ file: FileAnswer, _ writer: DownloadWriter, since start: Download,
        _ memory: FileMemory
    ) async throws -> JobOutcome {
        let download = writer.download
        writer.conclude("interrupted: \(visit.detail ?? visit.code ?? "")")
        let hasGained = download.received - start.received >= Self.leastProgress
        guard download.canGoOn, hasGained, !memory.isBegunAnew(by: start) else {
            return try await miss(visit, file.record, memory)
        }
        let pause = parts.configuration.hostInterval
        return try await putOff(.snooze(for: pause), visit, file.record, memory)
    }
}
