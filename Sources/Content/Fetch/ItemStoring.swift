import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Merges a document into its item.
struct ItemStoring: Sendable {
    private let ending: FetchEnding
    private let extract: Extract
    private let body: [UInt8]
    let seen: SeenDocument

    init(
        _ ending: FetchEnding, _ document: FetchedDocument, _ extract: Extract, _ answer: Visit
    ) throws {
        self.ending = ending
        self.extract = extract
        body = document.body ?? []
        var seen = SeenDocument(document, of: ending.url, by: answer, extract.page)
        seen.redirects = try ending.record.hops.redirects()
        self.seen = seen
    }

    func add(
        _ page: LockedPage, to changes: inout PageChanges, in transaction: PostgresTransaction
    ) async throws {
        let merge = Merging.decide(
            content, into: KeptContent(page.item, page.fields), ending.job.merge)
        switch merge.way {
        case .accept:
            keepBody(of: page.item, in: &changes)
            try await accept(merge, page, to: &changes, in: transaction)
        case .keepBeside(let reason):
            keepBody(of: page.item, in: &changes)
            try await keepBeside(reason, page, to: &changes, in: transaction)
        case .refuse(let reason):
            try await refuse(reason, page, to: &changes, in: transaction)
        case .onlyFill: try await fill(merge, page, to: &changes, in: transaction)
        }
    }

    private var content: FetchedContent {
        FetchedContent(
            askedAt: ending.record.askedAt, fields: extract.fields, words: extract.words,
            isEmpty: body.isEmpty, isComplete: extract.page.isComplete,
            suspicion: extract.suspicion)
    }

    private var keepsBody: Bool { ending.job.mode == .article }

    /// One that the newest version has is there, and stays while its item is locked.
    private func keepBody(of item: LockedItem, in changes: inout PageChanges) {
        if keepsBody, item.keptBody != seen.hash {
            changes.bodies.append(KeepBodies.Entry(hash: seen.hash, body: body))
        }
    }

    // MARK: Ways

    private func accept(
        _ merge: Merging, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        let item = page.item
        let changed = changed(merge, page)
        var sightings = item.sightings
        let hasMoved = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(hasMoved ? .moved : changed.isEmpty ? .unchanged : .stored)
        result.code = merge.doubt?.rawValue
        write(merge, item, in: &changes)
        if !changed.isEmpty {
            result.version = item.version + 1
            changes.versions.append(
                AddVersions.Entry(
                    item: item.id, number: item.version + 1, fetch: ending.record.id,
                    changed: changed, document: seen, words: extract.words,
                    keepsBody: keepsBody))
        }
        var note = ItemNote(result, item, sightings)
        note.suspicion = merge.doubt?.rawValue
        changes.pages.store(seen, in: item, note, kept: (ending.record.askedAt, extract.words))
        if !item.isNew { changes.answered.append(item.id) }
        // A document without anything to follow up, where there was none before, is no change.
        let hasNews =
            item.hash != nil || !extract.page.edges.isEmpty || !extract.page.anchors.isEmpty
        try await ending.add(
            result, page, isChange: hasNews && !item.shows(seen), to: &changes, in: transaction)
    }

    /// The old content stays as it is; so do its validators, and what it refers to.
    private func keepBeside(
        _ reason: Suspicion, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        changes.candidates.append(
            KeepCandidates.Entry(
                item: page.item.id, fetch: ending.record.id, reason: reason, document: seen,
                words: extract.words, fields: extract.fields))
        if reason == .challenge {
            return try await refuse(reason, page, to: &changes, in: transaction)
        }
        var sightings = page.item.sightings
        _ = sightings.found(
            redirectsTo: ending.record.hops.permanentTarget, now: ending.record.askedAt)
        var result = ending.plain(.stored)
        result.code = reason.rawValue
        result.isCandidate = true
        let note = ItemNote(result, page.item, sightings)
        try await ending.add(note, page, to: &changes, in: transaction)
    }

    /// Nobody was let in: that is blocked, and never broken.
    private func refuse(
        _ reason: Suspicion, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        var blocked = ending
        blocked.visit = .failed(
            reason.rawValue, "the server wants to know whether a person asks", .blocked,
            status: ending.record.hops.last?.status)
        let note = ItemNote(blocked.result(.failed), page.item)
        try await blocked.add(note, page, to: &changes, in: transaction)
    }

    /// A newer fetch was faster: this one only has what that one lacked.
    private func fill(
        _ merge: Merging, _ page: LockedPage, to changes: inout PageChanges,
        in transaction: PostgresTransaction
    ) async throws {
        var result = ending.plain(.unchanged)
        result.code = "older"
        if !merge.changes.isEmpty {
            result.version = page.item.version + 1
            write(merge, page.item, in: &changes)
            changes.versions.append(
                AddVersions.Entry(
                    item: page.item.id, number: page.item.version + 1, fetch: ending.record.id,
                    changed: merge.changes.keys.map(\.rawValue).sorted()))
        }
        let note = ItemNote(result, page.item)
        try await ending.add(note, page, to: &changes, in: transaction)
    }

    // MARK: Parts

    private func write(_ merge: Merging, _ item: LockedItem, in changes: inout PageChanges) {
        changes.fields += WriteFields.Entry.all(
            merge.changes, of: item.id, askedAt: ending.record.askedAt, fetch: ending.record.id)
    }

    /// What is another now than in the newest version: names of fields, and `body`.
    private func changed(_ merge: Merging, _ page: LockedPage) -> [String] {
        let values = Dictionary(uniqueKeysWithValues: page.fields.map { ($0.name, $0.value) })
        let names = merge.changes.filter { values[$0.key] != $0.value.value }.keys.map(\.rawValue)
        let isOther =
            seen.hash != page.item.keptHash || keepsBody && seen.hash != page.item.keptBody
        return names.sorted() + (isOther ? ["body"] : [])
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
