import FoundationEssentials
import HTTPTransport
import Tenure
import Web

/// Writes what was read of pages, one or many: the one that does, for fetches and for checks. Their
/// items are locked; what is to be written of them is gathered for one round trip.
struct PageWriter: Sendable {
    var bundle = PostgresBundle()
    private var held: [(place: Int, targets: PageTargets)] = []

    /// Which document an item is now, and what that refers to, where it is another than before.
    /// - Parameter kept: of a fetch, which keeps its content.
    mutating func store(
        _ document: SeenDocument, in item: LockedItem, _ note: ItemNote,
        kept: (askedAt: Date, words: Int)? = nil
    ) throws {
        var note = note
        note.look = item.hash == document.hash ? .unchanged : .changed
        if !item.shows(document) {
            try dropEdges(of: item, but: document.page.anchors, document.targets.ids)
            let store = StoreEdges(
                item: item.id, targets: document.targets, page: document.page)
            held.append((try bundle.add(store), document.targets))
        }
        try bundle.add(
            StoreDocument(
                item: item, note: note, document: document, kept: kept,
                freshFor: note.isDoubted ? .zero : document.freshFor))
    }

    /// It is as it was.
    mutating func confirm(
        _ item: LockedItem, by answer: Visit, askedAt: Date?, _ note: ItemNote
    ) throws {
        var note = note
        note.look = .unchanged
        let headers = ResponseHeaders(json: item.headers)
            .updated(by: answer.document?.headers ?? [:])
        try bundle.add(
            ConfirmDocument(
                item: item.id, note: note, due: item.due(seen: item.hash), askedAt: askedAt,
                freshFor: note.isDoubted ? .zero : headers.freshness(answer.figures),
                headers: headers))
    }

    /// Its URL gives something else than a document by now.
    mutating func forget(_ item: LockedItem) throws {
        try dropEdges(of: item, but: [], [])
        try bundle.add(ForgetDocument(item: item.id))
    }

    private mutating func dropEdges(
        of item: LockedItem, but anchors: [Anchor], _ targets: [UUID]
    ) throws {
        if item.hash == nil { return }
        try bundle.add(NoteLostAnchors(item: item.id, anchors: anchors))
        try bundle.add(DeleteEdges(item: item.id, targets: targets))
    }

    /// - Throws: `TargetsGone` where some of what is referred to has been deleted.
    @discardableResult
    func write(in transaction: PostgresTransaction) async throws -> PostgresReply {
        let reply = try await transaction.run(bundle)
        for (place, targets) in held {
            let gone = try reply.rows(as: StoreEdges.self, of: place)
            if !gone.isEmpty { throw TargetsGone(ids: gone.map { targets.ids[$0 - 1] }) }
        }
        return reply
    }
}
