/// One place where a document refers to something.
public struct Reference: Hashable, Sendable {
    /// What the reference is for.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// `a href`.
        case anchor
        case area, stylesheet, script, image, iframe, form, video, audio, source, track, object
        case embed, canonical, alternate, feed, icon, manifest, preload
        /// `meta http-equiv=refresh`.
        case metaRefresh
        /// A candidate of `srcset` or `imagesrcset`.
        case srcset
        case cssImport, cssURL
        /// Any other `link`, such as `next` or `license`.
        case link
    }

    /// Whether the page breaks when the target does.
    public enum Strength: String, Sendable, Codable {
        case hard, soft
    }

    /// As written, with character references and escapes decoded.
    public var raw: String
    /// The target, or why there is none. Its scheme tells whether it can be fetched at all.
    public var target: Result<WebURL, WebURLError>
    public var kind: Kind
    /// The element that the reference stands in, and its attribute; both empty in a style sheet.
    public var element: String
    public var attribute: String
    /// Where the URL begins; where its attribute's value does, if escapes blur the place.
    public var position: SourcePosition
    /// What a reader of a link sees, white space collapsed, cut off after some 200 bytes.
    public var text: String?

    /// Reason for `try?`: why there is none stands in `target`.
    public var url: WebURL? { try? target.get() }

    /// What the reference points at inside of its target, as an `id` would be written.
    public var fragment: String? { url?.decodedFragment }

    public var strength: Strength { kind.strength }
}

extension Reference.Kind {
    public var strength: Reference.Strength {
        switch self {
        case .stylesheet, .script, .image, .iframe, .video, .audio, .source, .track, .object,
            .embed, .canonical, .metaRefresh, .srcset, .cssImport, .cssURL:
            .hard
        case .anchor, .area, .form, .alternate, .feed, .icon, .manifest, .preload, .link:
            .soft
        }
    }

    /// Followed when the reader wants, so that a `base` counts that stands further down.
    var isFollowedLater: Bool { self == .anchor || self == .area || self == .form }
}

/// A place in a document that a fragment can point at.
public struct Anchor: Hashable, Sendable {
    public var name: String
    public var position: SourcePosition

    public init(name: String, position: SourcePosition) {
        self.name = name
        self.position = position
    }
}
