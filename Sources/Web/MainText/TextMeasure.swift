/// How long the texts of a tree are, and which paragraph each is a part of.
///
/// Parents have smaller numbers than their children, so that each pass is a loop over the numbers:
/// forwards for what comes down from ancestors, backwards for what adds up.
struct TextMeasure {
    struct Place: OptionSet {
        let rawValue: UInt8
        static let link = Place(rawValue: 1)
        static let emphasis = Place(rawValue: 1 << 1)
        /// Inside of what is never text.
        static let unread = Place(rawValue: 1 << 2)
    }

    struct Node {
        /// Of a text: characters that are not white space, and commas. Of an element: nothing.
        var length: Int32 = 0
        var commas: Int32 = 0
        /// The nearest element around it that begins a line of its own.
        var block: Int32 = 0
        /// All characters inside of it, those of links, and the weight of all paragraphs.
        var allLength: Int32 = 0
        var allLinks: Int32 = 0
        var allWeight: Float = 0
        var places: Place = []
    }

    let tree: HTMLTree
    let nodes: [Node]

    init(_ tree: HTMLTree) {
        self.tree = tree
        var nodes = Array(repeating: Node(), count: tree.nodeCount)
        // Pointers: a page has hundreds of nodes, and each pass would ask of each whether its
        // array is somebody else's too.
        nodes.withUnsafeMutableBufferPointer { nodes in
            tree.records.withUnsafeBufferPointer { records in
                tree.source.withUnsafeBufferPointer { source in
                    for index in 1..<max(1, nodes.count) {
                        Self.place(index, in: nodes, records[index], source)
                    }
                }
                Self.sumUp(nodes, records)
            }
        }
        self.nodes = nodes
    }

    private static func sumUp(
        _ nodes: UnsafeMutableBufferPointer<Node>, _ records: UnsafeBufferPointer<HTMLTree.Record>
    ) {
        let texts = ParagraphSums.with(count: nodes.count) { sums in
            for node in nodes where node.length > 0 { sums.add(node) }
            return sums.weights()
        }
        for index in nodes.indices {
            nodes[index].allLength = nodes[index].length
            nodes[index].allWeight = texts[index]
        }
        for index in nodes.indices.reversed() where index > 0 {
            let parent = Int(records[index].parent)
            guard parent >= 0 else { continue }
            nodes[parent].allLength += nodes[index].allLength
            nodes[parent].allLinks += nodes[index].allLinks
            nodes[parent].allWeight += nodes[index].allWeight
        }
    }

    private var body: Node { nodes[Int(tree.body.index)] }

    /// How much of the page's paragraphs is in an element; without any, how much of its text.
    func share(_ index: Int) -> Float {
        if body.allWeight > 0 { return nodes[index].allWeight / body.allWeight }
        return body.allLength > 0 ? Float(nodes[index].allLength) / Float(body.allLength) : 0
    }

    /// No rule finds a paragraph there.
    var isNothingButLinks: Bool { body.allLinks == body.allLength }

    /// How much of an element's text is link.
    func linkShare(_ index: Int) -> Float {
        let node = nodes[index]
        return node.allLength > 0 ? Float(node.allLinks) / Float(node.allLength) : 0
    }

    private static func place(
        _ index: Int, in nodes: UnsafeMutableBufferPointer<Node>, _ record: HTMLTree.Record,
        _ source: UnsafeBufferPointer<UInt8>
    ) {
        guard record.parent != HTMLTree.none else { return }
        let parent = nodes[Int(record.parent)]
        var node = Node()
        node.places = parent.places
        node.block = parent.block
        if record.isText {
            if !node.places.contains(.unread), record.textContent != .script {
                node.measure(
                    source, Int(record.content.lowerBound)..<Int(record.content.upperBound))
            }
        } else if let element = record.element {
            switch element {
            case .a: node.places.insert(.link)
            case .b, .strong, .em, .i: node.places.insert(.emphasis)
            default:
                if element.isUnread { node.places.insert(.unread) }
                if element.isBlock { node.block = Int32(index) }
            }
        }
        nodes[index] = node
    }
}

extension TextMeasure.Node {
    /// Characters that are not white space, and commas in the scripts that have them.
    fileprivate mutating func measure(
        _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) {
        var characters: Int32 = 0
        var found: Int32 = 0
        for index in range {
            let byte = source[index]
            characters &+= byte & 0xC0 != 0x80 && !byte.isASCIIWhitespace ? 1 : 0
            found &+= byte == UInt8(ascii: ",") ? 1 : 0
            // U+3001 and U+FF0C.
            if byte >= 0xE3, byte == 0xE3 || byte == 0xEF, index + 2 < range.upperBound {
                let next = (source[index + 1], source[index + 2])
                if next == (0x80, 0x81) || next == (0xBC, 0x8C) { found &+= 1 }
            }
        }
        length = characters
        commas = found
        if places.contains(.link) { allLinks = characters }
    }
}

/// What is in each paragraph: the texts that add up to it.
struct ParagraphSums {
    private struct Sum {
        var length: Int32 = 0
        var links: Int32 = 0
        var commas: Int32 = 0
    }
    private let blocks: UnsafeMutableBufferPointer<Sum>

    private static let least: Int32 = 25

    static func with<Result>(count: Int, _ body: (ParagraphSums) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Sum.self, capacity: count) { blocks in
            blocks.initialize(repeating: Sum())
            return body(ParagraphSums(blocks: blocks))
        }
    }

    func add(_ text: TextMeasure.Node) {
        let block = Int(text.block)
        blocks[block].length += text.length
        blocks[block].commas += text.commas
        if text.places.contains(.link) { blocks[block].links += text.length }
    }

    /// A paragraph counts for its length and its commas, and less where much of it is link.
    func weights() -> [Float] {
        blocks.map { block in
            guard block.length >= ParagraphSums.least else { return 0 }
            let share = 1 - Float(block.links) / Float(block.length)
            return (1 + Float(block.commas) + min(Float(block.length) / 100, 3)) * share
        }
    }
}

extension HTMLElement {
    /// What holds no text that is read.
    var isUnread: Bool {
        switch self {
        case .script, .style, .template, .button, .select, .iframe, .svg, .math, .object, .embed,
            .textarea, .dialog, .title, .rt, .rp:
            true
        default: false
        }
    }
}
