/// How much of a document the tokenizer, the scanners and the tree look at.
public struct HTMLLimits: Sendable {
    /// Tokens; the rest of the document is left unread.
    public var maxTokens = 500_000
    /// Elements inside of one another: all of them in a tree, in a scan those in `svg`, `math` and
    /// `template`, the only nesting that it follows. Deeper ones become siblings.
    public var maxDepth = 512
    /// Nodes of a tree; the rest of the document is left unread.
    public var maxNodes = 500_000
    /// Attributes of one tag; the rest are left out.
    public var maxAttributes = 256
    /// Bytes of one attribute's value; a longer attribute is left out.
    public var maxAttributeBytes = 1 << 20
    /// References that a scan returns.
    public var maxReferences = 10_000
    /// Anchors that a scan returns.
    public var maxAnchors = 100_000

    public init() {}
}

/// The limits that a document went over: what was found is not all there is.
public struct HTMLExcess: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let tokens = HTMLExcess(rawValue: 1)
    public static let depth = HTMLExcess(rawValue: 2)
    public static let attributes = HTMLExcess(rawValue: 4)
    public static let attributeBytes = HTMLExcess(rawValue: 8)
    public static let references = HTMLExcess(rawValue: 16)
    public static let anchors = HTMLExcess(rawValue: 32)
    public static let nodes = HTMLExcess(rawValue: 64)
}
