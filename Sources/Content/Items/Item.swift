package import Tenure
public import TenureFoundation

/// What is kept of a URL.
public struct Item: Sendable, Hashable {
    public let id: UUID
    public let url: String
    /// How the last fetch ended.
    public let outcome: FetchOutcome
    /// Why it was skipped or failed, or why what came is doubted.
    public let code: String?
    public let finalURL: String?
    /// Where it has moved for good, since when.
    public let movedTo: String?
    public let movedAt: Date?
    /// Since when it answers that there is nothing.
    public let missingSince: Date?
    public let status: Int?
    public let mediaType: String?
    public let charset: String?
    public let bytes: Int?
    /// SHA-256 of the document that was seen last, in hex.
    public let hash: String?
    public let references: Int
    public let anchors: Int
    public let hasBody: Bool
    /// Of the main text that was last accepted.
    public let words: Int
    /// The number of the newest version; 0 when nothing is kept yet.
    public let version: Int
    /// Why the content is doubted, for want of other.
    public let suspicion: String?
    public let freshUntil: Date?
    public let firstFetchedAt: Date?
    public let fetchedAt: Date?
    public let attemptedAt: Date
    /// As they count now.
    public internal(set) var fields: [Field] = []
    /// A document that was doubted, beside the content.
    public internal(set) var candidate: Candidate?

    /// A field and who set it.
    public struct Field: Sendable, Hashable, Codable {
        public let name: FieldName
        public let value: String
        public let source: FieldSource
        /// The person who edited it.
        public let setBy: String?
        /// The fetch that brought it.
        public let fetch: UUID?
        public let setAt: Date
    }

    public struct Candidate: Sendable, Hashable, Codable {
        public let reason: String
        public let words: Int
        public let title: String?
        public let fetch: UUID
        public let foundAt: Date
        /// The person who has looked at it, and doesn't want it. Another document that is doubted
        /// takes its place.
        public let refusedBy: String?

        /// Its server wanted to know whether a person asks: nobody was let in.
        package var isChallenge: Bool { reason == Suspicion.challenge.rawValue }
    }

    public subscript(name: FieldName) -> String? { fields.first { $0.name == name }?.value }

    /// The edited or fetched one; else that of the document that was seen last.
    public var title: String? { self[.title] ?? seenTitle }
    let seenTitle: String?

    /// Where a list goes on behind it.
    package var place: TimedPlace<UUID> { TimedPlace(at: attemptedAt, id: id) }
}

/// The state of an item's content after a change.
public struct ItemVersion: Sendable, Hashable {
    public let number: Int
    public let madeAt: Date
    /// The person who made it by an edit; else it came with the fetch.
    public let madeBy: String?
    public let fetch: UUID?
    /// Names of fields, and `body`.
    public let changed: [String]
    public let words: Int
    /// SHA-256 of its document and of the body that is kept, in hex.
    public let hash: String?
    public let body: String?
    public let title: String?
}

/// One run of a fetch. Its URLs are without secrets.
public struct ItemFetchRecord: Sendable, Hashable {
    public let id: UUID
    public let job: UUID
    public let run: Int
    public let askedAt: Date
    public let endedAt: Date
    public let mode: String
    public let outcome: FetchOutcome
    public let code: String?
    public let failure: FailureClass?
    public let status: Int?
    public let detail: String?
    public let finalURL: String?
    /// Whether it counts as an attempt of its job.
    public let isCharged: Bool
    /// Seconds, of all its requests together.
    public let dns: Double?
    public let connect: Double?
    public let tls: Double?
    public let firstByte: Double?
    public let total: Double?
    public let wireBytes: Int?
    public let bytes: Int?
}
