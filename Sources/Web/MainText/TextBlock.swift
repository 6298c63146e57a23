/// A paragraph as it was written, with what tells whether it belongs to the text.
struct TextBlock: Equatable {
    enum Kind: Equatable {
        case heading(Int)
        case paragraph
        case item
        case cell
        case preformatted
        /// In no element of its own: a `div`, a `section`.
        case loose
        /// No text: here something was left out.
        case gap
    }

    /// Where it stands to the element that is named as the text.
    enum Zone { case before, inside, after }

    var kind: Kind
    var text: String
    var zone = Zone.inside
    /// Characters that are not white space; those in links, and emphasised.
    var length: Int32 = 0
    var linkLength: Int32 = 0
    var emphasisLength: Int32 = 0

    static let gap = TextBlock(kind: .gap, text: "")

    var isHeading: Bool { level != nil }

    /// A paragraph, or text in no element of its own.
    var isPlain: Bool { kind == .paragraph || kind == .loose }

    var level: Int? {
        if case .heading(let level) = kind { level } else { nil }
    }

    /// Nearly all of it is a link.
    var isLink: Bool { Float(linkLength) >= 0.85 * Float(length) }

    /// Long enough to be a paragraph of the text, whatever it stands in.
    var isSolid: Bool {
        if kind == .preformatted { return true }
        return !isHeading && length - linkLength >= 60
    }
}
