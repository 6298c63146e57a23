import Content
import FoundationEssentials

/// An item for programs. Its URLs are without secrets; its id names it all the same.
struct ItemOutput: Encodable {
    let id: UUID
    let url: String
    let outcome: FetchOutcome
    @OrNull var code: String?
    @OrNull var status: Int?
    @OrNull var finalURL: String?
    @OrNull var movedTo: String?
    @OrNull var missingSince: Date?
    @OrNull var title: String?
    @OrNull var mediaType: String?
    @OrNull var charset: String?
    @OrNull var bytes: Int?
    @OrNull var hash: String?
    let hasBody: Bool
    @OrNull var words: Int?
    let references: Int
    let anchors: Int
    @OrNull var version: Int?
    @OrNull var suspicion: String?
    @OrNull var candidate: Item.Candidate?
    @OrNull var freshUntil: Date?
    @OrNull var fetchedAt: Date?
    let attemptedAt: Date
    let fields: [Item.Field]
    @OrNull var lastFetch: ItemFetchRecord?

    init(_ item: Item, _ last: ItemFetchRecord?) {
        id = item.id
        url = URLRedaction.text(item.url)
        outcome = item.outcome
        code = item.code
        status = item.status
        finalURL = item.finalURL.map(URLRedaction.text)
        movedTo = item.movedTo.map(URLRedaction.text)
        missingSince = item.missingSince
        title = item.title
        mediaType = item.mediaType
        charset = item.charset
        bytes = item.bytes
        hash = item.hash
        hasBody = item.hasBody
        words = item.keptWords
        references = item.references
        anchors = item.anchors
        version = item.keptVersion
        suspicion = item.suspicion
        candidate = item.candidate
        freshUntil = item.freshUntil
        fetchedAt = item.fetchedAt
        attemptedAt = item.attemptedAt
        fields = item.fields
        lastFetch = last
    }
}

/// Of a page that was only checked nothing is kept: it has no version, and its words were not
/// counted.
extension Item {
    var keptVersion: Int? { version == 0 ? nil : version }
    var keptWords: Int? { version == 0 ? nil : words }
}
