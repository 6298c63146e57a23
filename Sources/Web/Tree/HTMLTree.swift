/// The elements and texts of a document, each with its place in the source.
///
/// A pragmatic form of the HTML standard's tree construction (section 13.2.6), in linear time:
/// - As the standard: `html`, `head` and `body` are always there; void elements; raw text; end tags
///   that may be left out (`p`, `li`, `dd`, `option`, `rt`, cells, rows and the groups of tables);
///   scopes, within which an end tag looks for its element; formatting elements that are reopened
///   after the block that cut them off; what stands in a table and doesn't belong there comes
///   before it; SVG and MathML with integration points and what breaks out of them.
/// - Not as the standard: where a formatting element ends inside of a block that began in it, no
///   node is moved (no "adoption agency"): the block stays where it is, and what comes after the
///   end tag is free of the formatting. At most `maxFormatting` elements are reopened. Framesets
///   are passed over, `template` contents are ordinary children, names of SVG stay in lower case.
/// - Comments and the DOCTYPE are not in the tree.
///
/// Of html5lib's public cases of tree construction, without framesets, fragments and scripting,
/// 1,157 of 1,322 come out as the standard has them.
///
/// Nodes are numbers, in the order of the source as far as nothing was moved before a table.
public struct HTMLTree: Sendable {
    /// A node of one tree.
    public struct Node: Hashable, Sendable {
        let index: Int32
    }

    struct Record: Sendable {
        var isText = false
        var isForeign = false
        var textContent = HTMLTokenizer.Content.data
        var element: HTMLElement?
        /// The bytes of the name, or of the text.
        var content: Range<Int32>
        /// The start tag's first byte, and the byte behind the end tag or what stands for it.
        var start: Int32
        var end: Int32
        var attributes: Range<Int32> = 0..<0
        var parent: Int32 = none
        var firstChild: Int32 = none
        var lastChild: Int32 = none
        var next: Int32 = none
        var previous: Int32 = none
    }

    static let none: Int32 = -1

    /// The document, in UTF-8.
    public let source: [UInt8]
    var records: [Record] = []
    var attributes: [HTMLAttribute] = []
    private let places: SourceIndex
    /// What the limits cut off.
    public internal(set) var excess: HTMLExcess = []

    /// The `html` element.
    public var root: Node { Node(index: 0) }
    public internal(set) var head = Node(index: 0)
    public internal(set) var body = Node(index: 0)
    public var nodeCount: Int { records.count }

    /// Builds the tree of a document in UTF-8 without a byte order mark. Scripting is off: what is
    /// in `noscript` is there.
    public init(_ bytes: [UInt8], limits: HTMLLimits = HTMLLimits()) {
        // Offsets are kept in 32 bits.
        source = bytes.count < Int(Int32.max) ? bytes : []
        places = source.withUnsafeBufferPointer { SourceIndex($0) }
        var builder = HTMLTreeBuilder(limits: limits, bytes: source.count)
        HTMLTokenizer.scan(source, limits: limits) { tokenizer in
            while !builder.isFull, let kind = tokenizer.next() { builder.take(kind, tokenizer) }
            builder.finish(tokenizer)
        }
        records = builder.records
        attributes = builder.attributes
        head = Node(index: builder.head)
        body = Node(index: builder.body)
        excess = builder.excess
        if source.count < bytes.count { excess.insert(.tokens) }
    }

    /// Where the start tag, or the text, begins; of an element that no tag made, where it begins.
    public func position(of node: Node) -> SourcePosition {
        places.position(at: Int(self[node].start), in: source)
    }

    public func position(at offset: Int) -> SourcePosition {
        places.position(at: offset, in: source)
    }

    subscript(node: Node) -> Record { records[Int(node.index)] }
}
