import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// Merges a document into its item.
struct ItemStoring: Sendable {
    let ending: FetchEnding
    let document: FetchedDocument
    let extract: Extract
    let targets: PageTargets
    /// Of the body.
    private let hash: [UInt8]

    init(_ ending: FetchEnding, _ document: FetchedDocument, _ extract: Extract) {
        self.ending = ending
        self.document = document
        self.extract = extract
        targets = PageTargets(extract.edges)
        var hash = SHA256()
        hash.update(document.body ?? [])
        self.hash = hash.digest
    }

    /// By what was known before the request, it will be a change.
    var isNews: Bool {
        ending.known.hash != hash && !(extract.edges.isEmpty && extract.anchors.isEmpty)
    }

    func store(in transaction: PostgresTransaction) async throws {
        let page = try await ending.lock(in: transaction)
        let merge = Merge.decide(
            content, into: KeptContent(page.item, page.fields), ending.job.merge)
        var writes = PageWrites()
        switch merge.way {
        case .accept:
            try keepBody(by: &writes)
            try await accept(merge, page, writes, in: transaction)
        case .keepBeside(let reason):
            try keepBody(by: &writes)
            try await keepBeside(reason, page, writes, in: transaction)
        case .refuse(let reason): try await refuse(reason, page, writes, in: transaction)
        case .onlyFill: try await fill(merge, page, in: transaction)
        }
    }

    private var content: FetchedContent {
        FetchedContent(
            askedAt: ending.record.askedAt, fields: extract.fields, words: extract.words,
            isEmpty: document.body?.isEmpty ?? true, isComplete: extract.isComplete,
            suspicion: extract.suspicion)
    }

    private func keepBody(by writes: inout PageWrites) throws {
        guard ending.job.mode == .article else { return }
        try writes.batch.add(KeepBody(hash: hash, body: document.body ?? []))
    }

    // MARK: Ways

    private func accept(
        _ merge: Merge, _ page: LockedPage, _ writes: PageWrites,
        in transaction: PostgresTransaction
    ) async throws {
        let item = page.item
        var writes = writes
        let changed = changed(merge, page)
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(hasMoved ? .moved : changed.isEmpty ? .unchanged : .stored)
        result.code = merge.doubt?.rawValue
        try writeEdges(page, by: &writes)
        try write(merge, item, by: &writes)
        if !changed.isEmpty {
            result.version = item.version + 1
            try writes.batch.add(
                AddVersion(
                    item: item.id, number: item.version + 1, fetch: ending.record.id,
                    changed: changed, document: seen))
        }
        let headers = ResponseHeaders(document.headers)
        let freshFor =
            merge.doubt == nil ? headers.freshness(ending.record.hops.last?.figures) : .zero
        let note = NoteItem(
            item: item.id, result: result, sightings: sightings,
            suspicion: merge.doubt?.rawValue, version: result.version ?? item.version)
        try writes.batch.add(
            AcceptDocument(
                note: note, askedAt: ending.record.askedAt, freshFor: freshFor, headers: headers,
                document: seen, extract: extract, bytes: document.body?.count,
                redirects: try ending.record.hops.redirects()))
        if !page.isNew { try writes.batch.add(DropCandidate(item: item.id)) }
        try await ending.write(writes, result, page, in: transaction)
    }

    /// The old content stays as it is; so do its validators, and what it refers to.
    private func keepBeside(
        _ reason: Suspicion, _ page: LockedPage, _ writes: PageWrites,
        in transaction: PostgresTransaction
    ) async throws {
        var writes = writes
        try writes.batch.add(
            KeepCandidate(
                item: page.item.id, fetch: ending.record.id, reason: reason, document: seen,
                fields: extract.fields))
        if reason == .challenge { return try await refuse(reason, page, writes, in: transaction) }
        var sightings = page.item.sightings
        _ = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(.stored)
        result.code = reason.rawValue
        result.isCandidate = true
        try await ending.note(result, page, sightings, with: writes, in: transaction)
    }

    /// Nobody was let in: that is blocked, and never broken.
    private func refuse(
        _ reason: Suspicion, _ page: LockedPage, _ writes: PageWrites,
        in transaction: PostgresTransaction
    ) async throws {
        var blocked = ending
        blocked.visit = .failed(
            reason.rawValue, "the server wants to know whether a person asks", .blocked,
            status: ending.record.hops.last?.status)
        try await blocked.note(
            blocked.result(.failed), page, page.item.sightings, with: writes, in: transaction)
    }

    /// A newer fetch was faster: this one only has what that one lacked.
    private func fill(
        _ merge: Merge, _ page: LockedPage, in transaction: PostgresTransaction
    ) async throws {
        var writes = PageWrites()
        var result = ending.plain(.unchanged)
        result.code = "older"
        if !merge.changes.isEmpty {
            result.version = page.item.version + 1
            try write(merge, page.item, by: &writes)
            try writes.batch.add(
                AddVersion(
                    item: page.item.id, number: page.item.version + 1, fetch: ending.record.id,
                    changed: merge.changes.keys.map(\.rawValue).sorted()))
        }
        try await ending.note(
            result, page, page.item.sightings, with: writes, in: transaction)
    }

    // MARK: Parts

    private var seen: AddVersion.Document {
        AddVersion.Document(
            hash: hash, words: extract.words, keepsBody: ending.job.mode == .article,
            finalURL: document.url.withoutFragment, mediaType: document.mediaType?.essence,
            charset: extract.charset)
    }

    private func write(_ merge: Merge, _ item: LockedItem, by writes: inout PageWrites) throws {
        if merge.changes.isEmpty { return }
        try writes.batch.add(
            WriteFields(
                item: item.id, askedAt: ending.record.askedAt, fetch: ending.record.id,
                fields: merge.changes))
    }

    /// What is another now than in the newest version: names of fields, and `body`.
    private func changed(_ merge: Merge, _ page: LockedPage) -> [String] {
        let seen = seen
        let values = Dictionary(uniqueKeysWithValues: page.fields.map { ($0.name, $0.value) })
        let names = merge.changes.filter { values[$0.key] != $0.value.value }.keys.map(\.rawValue)
        let isOther =
            seen.hash != page.item.keptHash || seen.keepsBody && seen.hash != page.item.keptBody
        return names.sorted() + (isOther ? ["body"] : [])
    }

    /// Anew, when the document isn't the one that they are from.
    private func writeEdges(_ page: LockedPage, by writes: inout PageWrites) throws {
        let item = page.item
        let isSame =
            item.hash == hash && item.finalURL == document.url.withoutFragment.href
            && item.references == extract.edges.count
        if isSame { return }
        if !page.isNew {
            try writes.batch.add(NoteLostAnchors(url: ending.url, anchors: extract.anchors))
            try writes.batch.add(DeleteEdges(item: item.id, targets: targets.ids))
        }
        // A document without anything to follow up, where there was none before, is no change.
        let isChange = item.hash != nil || !extract.edges.isEmpty || !extract.anchors.isEmpty
        let place = try writes.batch.add(
            StoreEdges(
                item: item.id, targets: targets, edges: extract.edges, anchors: extract.anchors))
        if isChange {
            try writes.batch.add(NoteChange(item: item.id, queue: ending.context.queue))
        }
        writes.edges = (place, targets, isChange)
    }
}

extension KeptContent {
    init(_ item: LockedItem, _ rows: [ReadFields.Row]) {
        askedAt = item.askedAt
        words = item.words
        isDoubted = item.suspicion != nil
        for row in rows {
            fields[row.name] = ItemField(
                value: row.value, source: row.source, askedAt: row.askedAt)
        }
    }
}
