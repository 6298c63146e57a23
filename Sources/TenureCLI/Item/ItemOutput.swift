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
    @OrNull var lastFetch: ItemFetchOutput?

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
        lastFetch = last.map(ItemFetchOutput.init)
    }
}

/// Of a page that was only checked nothing is kept: it has no version, and its words were not
/// counted.
extension Item {
    var keptVersion: Int? { version == 0 ? nil : version }
    var keptWords: Int? { version == 0 ? nil : words }
}

/// One run of a fetch, for programs.
struct ItemFetchOutput: Encodable {
    let id: UUID
    let job: UUID
    let run: Int
    let askedAt: Date
    let endedAt: Date
    let mode: String
    let outcome: FetchOutcome
    @OrNull var code: String?
    @OrNull var failure: FailureClass?
    @OrNull var status: Int?
    @OrNull var detail: String?
    @OrNull var finalURL: String?
    let isCharged: Bool
    @OrNull var dnsSeconds: Double?
    @OrNull var connectSeconds: Double?
    @OrNull var tlsSeconds: Double?
    @OrNull var firstByteSeconds: Double?
    @OrNull var totalSeconds: Double?
    @OrNull var wireBytes: Int?
    @OrNull var bytes: Int?

    init(_ fetch: ItemFetchRecord) {
        id = fetch.id
        job = fetch.job
        run = fetch.run
        askedAt = fetch.askedAt
        endedAt = fetch.endedAt
        mode = fetch.mode
        outcome = fetch.outcome
        code = fetch.code
        failure = fetch.failure
        status = fetch.status
        detail = fetch.detail
        finalURL = fetch.finalURL
        isCharged = fetch.isCharged
        dnsSeconds = fetch.dns
        connectSeconds = fetch.connect
        tlsSeconds = fetch.tls
        firstByteSeconds = fetch.firstByte
        totalSeconds = fetch.total
        wireBytes = fetch.wireBytes
        bytes = fetch.bytes
    }
}

/// A version of what is kept, for programs.
struct ItemVersionOutput: Encodable {
    let number: Int
    let madeAt: Date
    /// The person who made it by an edit; null: it came with a fetch.
    @OrNull var madeBy: String?
    @OrNull var fetch: UUID?
    let changed: [String]
    let words: Int
    @OrNull var hash: String?
    @OrNull var body: String?
    @OrNull var title: String?

    init(_ version: ItemVersion) {
        number = version.number
        madeAt = version.madeAt
        madeBy = version.madeBy
        fetch = version.fetch
        changed = version.changed
        words = version.words
        hash = version.hash
        body = version.body
        title = version.title
    }
}
