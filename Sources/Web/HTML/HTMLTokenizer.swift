/// A tokenizer for HTML (HTML standard, section 13.2.5) over UTF-8.
///
/// It stands on one token at a time: `next()` moves on and says what kind it is; the parts are
/// asked for as ranges of bytes, or decoded on demand. Text, comments and attribute values are
/// passed over with `memchr`, so that what nobody asks for costs next to nothing.
///
/// The states of the standard that only tell apart how far into a construct one has come
/// are places in the code here; those that change what a `<` means are `Content`.
///
/// Every byte is looked at a bounded number of times, whatever the input, and nothing recurses.
public struct HTMLTokenizer: ~Copyable {
    public enum Kind: Sendable {
        case doctype, startTag, endTag, comment, text
    }

    /// What the tokenizer reads, which for some elements isn't markup.
    enum Content: Sendable {
        case data, rcdata, rawtext, script, plaintext, cdata
    }

    let source: UnsafeBufferPointer<UInt8>
    let end: Int
    let limits: HTMLLimits

    /// The next byte to read.
    var position = 0
    var content = Content.data
    /// Set when the end tag of the raw text that was just returned comes next.
    var isBeforeEndTag = false
    /// The name, in lower case, of the tag that ends the raw text.
    var rawTextName: [UInt8] = []
    /// Off when a tree builder, or a test, decides what elements contain.
    var followsElements = true
    /// Whether `<![CDATA[` begins such a section anywhere, as in XML.
    var isXML = false
    var foreign = ForeignContent()
    private var tokenCount = 0
    let elementNames = HTMLNames.elements
    let attributeNames = HTMLNames.attributes

    // The token.
    var tokenStart = 0
    var contents = 0..<0
    var nameRange = 0..<0
    var nameKey = NameKey()
    var doctypeToken = HTMLToken.Doctype()
    var textContent = Content.data

    /// What the tag is, if it is one of the elements that are asked for by name.
    public internal(set) var element: HTMLElement?
    /// Whether a start tag ends with `/>`, which in HTML means nothing, in SVG the end.
    public internal(set) var isSelfClosing = false
    /// Whether the start tag is one of SVG or MathML.
    public internal(set) var isForeign = false
    /// The attributes of the start tag, the first of each name.
    public internal(set) var attributes: [HTMLAttribute] = []
    /// The limits that were exceeded so far.
    public internal(set) var excess: HTMLExcess = []

    var collectsErrors = false
    public internal(set) var errors: [HTMLParseError] = []
    private var locator: SourceLocator

    init(_ source: UnsafeBufferPointer<UInt8>, limits: HTMLLimits) {
        self.source = source
        end = source.count
        self.limits = limits
        locator = SourceLocator(source)
    }

    /// Runs `body` with a tokenizer over `bytes`, which must be UTF-8 without a byte order mark.
    public static func scan<Result, Failure>(
        _ bytes: [UInt8], limits: HTMLLimits = HTMLLimits(), collectingErrors: Bool = false,
        _ body: (inout HTMLTokenizer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (source) throws(Failure) -> Result in
            var tokenizer = HTMLTokenizer(source, limits: limits)
            tokenizer.collectsErrors = collectingErrors
            return try body(&tokenizer)
        }
    }

    /// Moves to the next token; nil at the end of the document, or of what the limits allow.
    public mutating func next() -> Kind? {
        while position < end || content == .cdata {
            if tokenCount >= limits.maxTokens {
                excess.insert(.tokens)
                return nil
            }
            if let kind = step() {
                tokenCount += 1
                return kind
            }
        }
        return nil
    }

    /// One token, or nil where the source has something that makes none.
    private mutating func step() -> Kind? {
        tokenStart = position
        switch content {
        case .data: return data()
        case .plaintext: return text(to: end)
        case .cdata: return cdata()
        case .rcdata, .rawtext, .script: return rawText()
        }
    }

    // MARK: Text

    /// "Data state": text up to the next `<` that begins markup, or that markup.
    private mutating func data() -> Kind? {
        var start = position
        while let open = source.find(UInt8(ascii: "<"), from: start, to: end) {
            if isMarkup(open) {
                return open > position ? text(to: open) : markup(open)
            }
            start = open + 1
        }
        return text(to: end)
    }

    private mutating func isMarkup(_ open: Int) -> Bool {
        guard open + 1 < end else {
            fail(.eofBeforeTagName, end)
            return false
        }
        let next = source[open + 1]
        if next.isASCIIAlpha || next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
            return true
        }
        if next == UInt8(ascii: "/") {
            if open + 2 < end { return true }
            fail(.eofBeforeTagName, end)
        } else {
            fail(.invalidFirstCharacterOfTagName, open + 1)
        }
        return false
    }

    mutating func text(to stop: Int) -> Kind? {
        guard stop > position else { return nil }
        contents = position..<stop
        textContent = content
        position = stop
        if collectsErrors { checkText() }
        return .text
    }

    // MARK: Markup

    /// "Tag open state".
    private mutating func markup(_ open: Int) -> Kind? {
        switch source[open + 1] {
        case UInt8(ascii: "!"): return declaration(open + 2)
        case UInt8(ascii: "?"):
            fail(.unexpectedQuestionMarkInsteadOfTagName, open + 1)
            return bogusComment(open + 1)
        case UInt8(ascii: "/"): return endTagOpen(open + 2)
        default: return startTag(open + 1)
        }
    }

    private mutating func endTagOpen(_ name: Int) -> Kind? {
        if source[name].isASCIIAlpha { return endTag(name) }
        if source[name] == UInt8(ascii: ">") {
            fail(.missingEndTagName, name)
            position = name + 1
            return nil
        }
        fail(.invalidFirstCharacterOfTagName, name)
        return bogusComment(name)
    }

    // MARK: Asking

    /// The bytes of the document that the token was made of.
    public var tokenRange: Range<Int> { tokenStart..<position }

    /// Where the token begins. Cheap as long as one asks for places in ascending order.
    public mutating func tokenPosition() -> SourcePosition {
        locator.markedPosition(at: tokenStart)
    }

    /// Where a byte of the current token stands.
    public mutating func position(at offset: Int) -> SourcePosition {
        locator.position(at: offset)
    }

    @inline(__always)
    mutating func fail(_ code: HTMLParseError.Code, _ offset: Int) {
        if collectsErrors { errors.append(HTMLParseError(code: code, offset: offset)) }
    }
}
