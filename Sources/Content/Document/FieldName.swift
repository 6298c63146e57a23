/// What there is to say of an item, each with its own provenance.
public enum FieldName: String, Sendable, Codable, CaseIterable {
    case title
    /// Several are separated by `; `.
    case authors
    /// When it was published and last modified, as `2026-11-21T10:46:36Z`.
    case published, modified
    case siteName
    /// A language tag.
    case language
    /// What the page says of itself in a sentence.
    case description
    /// How its text begins.
    case excerpt
    /// The URL of the lead image.
    case image
    /// The main text, paragraphs with an empty line between them.
    case text
}

/// Who said it.
public enum FieldSource: String, Sendable, Codable {
    /// Somebody edited it: no fetch changes it any more.
    case person
    case jsonLD, openGraph, twitter, html
    /// The main text itself.
    case text
    case feed
    /// A header field of the response.
    case header
}

/// A field as a document has it.
struct FetchedField: Sendable, Hashable {
    var value: String
    var source: FieldSource
}
