/// A token with its contents decoded, for code that wants values rather than speed.
public enum HTMLToken: Hashable, Sendable {
    public struct Doctype: Hashable, Sendable {
        public var name: String?
        public var publicID: String?
        public var systemID: String?
        public var forcesQuirks = false
    }

    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    case doctype(Doctype)
    case startTag(name: String, attributes: [Attribute], isSelfClosing: Bool)
    case endTag(name: String)
    case comment(String)
    case text(String)
}

/// One attribute of the tag that the tokenizer stands on: where it is, undecoded.
public struct HTMLAttribute: Sendable {
    /// What it is called, if it is one of the names that are asked for.
    public let name: HTMLAttributeName?
    /// The bytes of its name.
    public let nameRange: Range<Int>
    /// The bytes of its value, without quotes; empty when it has none.
    public let valueRange: Range<Int>
    let key: NameKey
}
