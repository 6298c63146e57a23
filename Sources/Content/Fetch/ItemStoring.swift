import FoundationEssentials
import HTTPTransport
import Tenure
import Web

/// Merges a document into its item.
struct ItemStoring: Sendable {
    let ending: FetchEnding
    let document: FetchedDocument
    let extract: Extract

    func store(in transaction: PostgresTransaction) async throws {
        let (item, fields) = try await ending.lock(in: transaction)
        let merge = Merge.decide(
            content, into: KeptContent(item, fields), ending.job.merge)
        let hash = try await keepBody(merge, in: transaction)
        switch merge.way {
        case .accept: try await accept(merge, hash, item, fields, in: transaction)
        case .keepBeside(let reason): try await keepBeside(reason, hash, item, in: transaction)
        case .refuse(let reason):
            try await refuse(reason, item, in: transaction)
        case .onlyFill: try await fill(merge, item, in: transaction)
        }
    }

    private var content: FetchedContent {
        FetchedContent(
            askedAt: ending.record.askedAt, fields: extract.fields, words: extract.words,
            isEmpty: document.body?.isEmpty ?? true, isComplete: extract.isComplete,
            suspicion: extract.suspicion)
    }

    private func keepBody(
        _ merge: Merge, in transaction: PostgresTransaction
    ) async throws -> [UInt8]? {
        switch merge.way {
        case .refuse, .onlyFill: return nil
        case .accept, .keepBeside:
            let keeps = ending.job.mode == .article
            return try await transaction.execute(
                KeepBody(body: document.body ?? [], keeps: keeps)
            ).first
        }
    }

    // MARK: Ways

    private func accept(
        _ merge: Merge, _ hash: [UInt8]?, _ item: LockedItem, _ fields: [ReadFields.Row],
        in transaction: PostgresTransaction
    ) async throws {
        let seen = seen(hash)
        let changed = changed(merge, seen, item, fields)
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(hasMoved ? .moved : changed.isEmpty ? .unchanged : .stored)
        result.code = merge.doubt?.rawValue
        let headers = ResponseHeaders(document.headers)
        let freshFor =
            merge.doubt == nil ? headers.freshness(ending.record.hops.last?.figures) : .zero
        _ = try await transaction.pipeline(
            write(merge, item),
            AcceptDocument(
                item: item.id, askedAt: ending.record.askedAt, freshFor: freshFor,
                headers: headers, document: seen, extract: extract, bytes: document.body?.count,
                redirects: try ending.record.hops.redirects()),
            DropCandidate(item: item.id))
        if !changed.isEmpty {
            result.version = item.version + 1
            _ = try await transaction.execute(
                AddVersion(
                    item: item.id, number: item.version + 1, fetch: ending.record.id,
                    changed: changed, document: seen))
        }
        try await writeEdges(seen, item, in: transaction)
        try await ending.note(
            result, item, sightings, suspicion: .some(merge.doubt?.rawValue), in: transaction)
    }

    /// The old content stays as it is; so do its validators, and what it refers to.
    private func keepBeside(
        _ reason: Suspicion, _ hash: [UInt8]?, _ item: LockedItem,
        in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.execute(
            KeepCandidate(
                item: item.id, fetch: ending.record.id, reason: reason, document: seen(hash),
                fields: extract.fields))
        if reason == .challenge { return try await refuse(reason, item, in: transaction) }
        var sightings = item.sightings
        _ = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(.stored)
        result.code = reason.rawValue
        result.isCandidate = true
        try await ending.note(result, item, sightings, in: transaction)
    }

    /// Nobody was let in: that is blocked, and never broken.
    private func refuse(
        _ reason: Suspicion, _ item: LockedItem, in transaction: PostgresTransaction
    ) async throws {
        var blocked = ending
        blocked.visit = .failed(
            reason.rawValue, "the server wants to know whether a person asks", .blocked,
            status: ending.record.hops.last?.status)
        try await blocked.note(
            blocked.result(.failed), item, item.sightings, in: transaction)
    }

    /// A newer fetch was faster: this one only has what that one lacked.
    private func fill(
        _ merge: Merge, _ item: LockedItem, in transaction: PostgresTransaction
    ) async throws {
        var result = ending.plain(.unchanged)
        result.code = "older"
        if !merge.changes.isEmpty {
            result.version = item.version + 1
            _ = try await transaction.pipeline(
                write(merge, item),
                AddVersion(
                    item: item.id, number: item.version + 1, fetch: ending.record.id,
                    changed: merge.changes.keys.map(\.rawValue).sorted()))
        }
        try await ending.note(result, item, item.sightings, in: transaction)
    }

    // MARK: Parts

    private func seen(_ hash: [UInt8]?) -> AddVersion.Document {
        AddVersion.Document(
            hash: hash, words: extract.words, keepsBody: ending.job.mode == .article,
            finalURL: document.url.withoutFragment, mediaType: document.mediaType?.essence,
            charset: extract.charset)
    }

    private func write(_ merge: Merge, _ item: LockedItem) -> WriteFields {
        WriteFields(
            item: item.id, askedAt: ending.record.askedAt, fetch: ending.record.id,
            fields: merge.changes)
    }

    /// What is another now than in the newest version: names of fields, and `body`.
    private func changed(
        _ merge: Merge, _ seen: AddVersion.Document, _ item: LockedItem,
        _ fields: [ReadFields.Row]
    ) -> [String] {
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
        let names = merge.changes.filter { values[$0.key] != $0.value.value }.keys.map(\.rawValue)
        let isOther = seen.hash != item.keptHash || seen.keepsBody && seen.hash != item.keptBody
        return names.sorted() + (isOther ? ["body"] : [])
    }

    /// Anew, when the document isn't the one that they are from.
    private func writeEdges(
        _ seen: AddVersion.Document, _ item: LockedItem, in transaction: PostgresTransaction
    ) async throws {
        let isSame =
            item.hash == seen.hash && item.finalURL == seen.finalURL.href
            && item.references == extract.edges.count
        if isSame { return }
        let url = ending.url.href
        let targets = extract.edges.uniqueTargets.map(\.href)
        let (gone, _, _, _) = try await transaction.pipeline(
            HoldTargets(hrefs: targets), DeleteEdges(url: url, targets: targets),
            InsertReferences(url: url, edges: extract.edges),
            InsertAnchors(url: url, anchors: extract.anchors))
        try await HoldTargets.hold(gone, in: transaction)
        // A document without anything to follow up, where there was none before, is no change.
        if item.hash == nil, extract.edges.isEmpty, extract.anchors.isEmpty { return }
        try ItemChange.announce(url, ending.parts, ending.context, in: transaction)
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
