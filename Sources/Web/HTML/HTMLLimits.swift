/// How much of a document the tokenizer and the scanners look at.
public struct HTMLLimits: Sendable {
    /// Tokens; the rest of the document is left unread.
    public var maxTokens = 500_000
    /// Elements open inside `svg`, `math` and `template`, the only nesting that is followed.
    public var maxDepth = 512
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
}
