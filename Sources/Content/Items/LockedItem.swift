import TenureFoundation
import Web

/// An item as it is, and stays while the transaction lasts.
struct LockedItem: Sendable {
    let id: UUID
    let createdAt: Date
    let askedAt: Date?
    let sightings: Sightings
    let version: Int
    let words: Int
    let suspicion: String?
    /// Of the document that was seen last.
    let hash: [UInt8]?
    let finalURL: String?
    let references: Int
    let anchors: Int
    let headers: String?
    /// Of the document that is kept, and of the body that is.
    let keptHash: [UInt8]?
    let keptBody: [UInt8]?
    /// The URL itself gave it, and a check reads its kind. What a fetch has brought by way of a
    /// redirect is the document at its end; a feed or a file is read by a fetch alone.
    let isPage: Bool
    let pace: ItemPace
    /// This transaction has made it: there is nothing of it yet.
    var isNew = false

    /// When the next fetch is due of an item that is this document now. A check keeps nothing: it
    /// says of what a fetch has kept whether another document is there.
    func due(seen hash: [UInt8]?) -> ItemPace.Due {
        guard let keptHash else { return .never }
        return keptHash == hash ? .policy : .now
    }

    /// Whether what refers and can be referred to in a document is what was seen last.
    func shows(_ document: SeenDocument) -> Bool {
        hash == document.hash && finalURL == document.finalURL.href
            && references == document.page.edges.count && anchors == document.page.anchors.count
    }
}
