import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// Gathers what is to be written of pages, one or many: the one that does, for fetches and for
/// checks. Their items are locked. A statement a table writes all of them, in one round trip.
struct PageWriter: Sendable {
    /// Those whose document is another than before, and what of them is known so far.
    private var changed: [UUID] = []
    private var targets: Set<UUID> = []
    private var kept: [(item: UUID, target: UUID)] = []
    private var edges: [StoreEdges.Entry] = []
    private var anchors: [StoreAnchors.Entry] = []
    private var stored: [StoreDocuments.Entry] = []
    private var confirmed: [ConfirmDocuments.Entry] = []
    private var forgotten: [UUID] = []

    /// Which document an item is now, and what that refers to, where it is another than before.
    /// - Parameter kept: of a fetch, which keeps its content.
    mutating func store(
        _ document: SeenDocument, in item: LockedItem, _ note: ItemNote,
        kept: (askedAt: Date, words: Int)? = nil
    ) {
        var note = note
        note.look = item.hash == document.hash ? .unchanged : .changed
        if !item.shows(document) { replaceEdges(of: item, by: document) }
        stored.append(
            StoreDocuments.Entry(
                item: item, note: note, document: document, kept: kept,
                freshFor: note.isDoubted ? .zero : document.freshFor))
    }

    /// It is as it was.
    mutating func confirm(_ item: LockedItem, by answer: Visit, askedAt: Date?, _ note: ItemNote) {
        var note = note
        note.look = .unchanged
        let headers = ResponseHeaders(json: item.headers)
            .updated(by: answer.document?.headers ?? [:])
        let freshFor = note.isDoubted ? .zero : headers.freshness(answer.figures)
        confirmed.append(
            ConfirmDocuments.Entry(
                note: note.entry(of: item.id, fresh: freshFor, due: item.due(seen: item.hash)),
                askedAt: askedAt, freshFor: freshFor, headers: headers))
    }

    /// Its URL gives something else than a document by now.
    mutating func forget(_ item: LockedItem) {
        if item.hash != nil { changed.append(item.id) }
        forgotten.append(item.id)
    }

    private mutating func replaceEdges(of item: LockedItem, by document: SeenDocument) {
        let (page, now) = (document.page, document.targets)
        if item.hash != nil {
            changed.append(item.id)
            kept += now.ids.map { (item.id, $0) }
        }
        targets.formUnion(now.ids)
        edges += StoreEdges.Entry.all(page, now, of: item.id)
        anchors += page.anchors.map {
            StoreAnchors.Entry(item: item.id, id: Digest.id(of: $0.name), anchor: $0)
        }
    }

    /// What is written, in the order in which it is locked.
    /// - Returns: what tells of targets that are gone.
    func add(to bundle: inout PostgresBundle) throws -> HeldTargets {
        var held = HeldTargets()
        if !targets.isEmpty {
            held.place = try bundle.add(HoldTargets(ids: Array(targets)))
        }
        if !changed.isEmpty {
            let left = Set(changed)
            let anchors = anchors.filter { left.contains($0.item) }
            try bundle.add(NoteLostAnchors(items: changed, anchors: anchors))
            try bundle.add(DeleteEdges(items: changed, kept: kept))
        }
        for rows in edges.portions(of: \.size) { try bundle.add(StoreEdges(rows: rows)) }
        for rows in anchors.portions(of: \.size) { try bundle.add(StoreAnchors(rows: rows)) }
        if !stored.isEmpty { try bundle.add(StoreDocuments(rows: stored)) }
        if !confirmed.isEmpty { try bundle.add(ConfirmDocuments(rows: confirmed)) }
        if !forgotten.isEmpty { try bundle.add(ForgetDocuments(items: forgotten)) }
        return held
    }
}

/// Targets that are to be there when what refers to them has been written.
struct HeldTargets: Sendable {
    fileprivate(set) var place: Int?

    /// - Throws: `TargetsGone` where some of them have been deleted.
    func check(_ reply: borrowing PostgresReply) throws {
        guard let place else { return }
        let gone = try reply.rows(as: HoldTargets.self, of: place)
        if !gone.isEmpty { throw TargetsGone(ids: gone) }
    }
}
