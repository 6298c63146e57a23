/// Writes the text of an element as paragraphs, in one walk without recursion.
struct MainTextWriter {
    let tree: HTMLTree
    let weights: ParagraphWeights
    let maxBytes: Int
    /// Whether lists of links count as text.
    let keepsLinks: Bool
    private(set) var paragraphs: [String] = []
    private(set) var image: String?
    private var line: [UInt8] = []
    private(set) var written = 0
    private var isPreformatted = false

    init(
        tree: HTMLTree, weights: ParagraphWeights, maxBytes: Int, keepsLinks: Bool = false
    ) {
        self.tree = tree
        self.weights = weights
        self.maxBytes = maxBytes
        self.keepsLinks = keepsLinks
    }

    mutating func write(_ root: HTMLTree.Node) {
        var node: HTMLTree.Node? = root
        while let current = node, written < maxBytes {
            let isSkipped = current != root && isSkipped(current)
            if !isSkipped { enter(current) }
            node = advance(current, root, skippingChildren: isSkipped)
        }
        endParagraph()
    }

    private func isSkipped(_ node: HTMLTree.Node) -> Bool {
        let index = Int(node.index)
        if weights.isExcluded[index] { return true }
        if keepsLinks { return false }
        // Lists, tables and boxes of links.
        switch tree.element(node) {
        case .ul, .ol, .dl, .div, .section, .table: return weights.linkShare(node) > 0.6
        default: return false
        }
    }

    private mutating func enter(_ node: HTMLTree.Node) {
        if tree.isText(node) { return tree.appendText(node, to: &line) }
        switch tree.element(node) {
        case .br: line.append(0x0A)
        case .img where image == nil: image = tree.value(.src, of: node)
        case .td, .th: line.append(0x20)
        case .pre, .listing:
            endParagraph()
            isPreformatted = true
        case .some(let element) where element.isBlock && element != .tbody: endParagraph()
        default: break
        }
    }

    /// To the next node; what ends on the way ends its paragraph.
    private mutating func advance(
        _ node: HTMLTree.Node, _ root: HTMLTree.Node, skippingChildren: Bool
    ) -> HTMLTree.Node? {
        if !skippingChildren, let child = tree.firstChild(of: node) { return child }
        var current = node
        while current != root {
            leave(current)
            if let sibling = tree.nextSibling(of: current) { return sibling }
            guard let parent = tree.parent(of: current) else { return nil }
            current = parent
        }
        return nil
    }

    private mutating func leave(_ node: HTMLTree.Node) {
        switch tree.element(node) {
        case .td, .th, .tbody: break
        case .some(let element) where element.isBlock:
            endParagraph()
            if element == .pre || element == .listing { isPreformatted = false }
        default: break
        }
    }

    private mutating func endParagraph() {
        let text = isPreformatted ? verbatim() : HTMLText.collapsing(line, limit: .max)
        line.removeAll(keepingCapacity: true)
        guard !text.isEmpty else { return }
        paragraphs.append(text)
        written += text.utf8.count
    }

    /// Without empty lines around it and spaces at its end.
    private func verbatim() -> String {
        let start = line.firstIndex { !$0.isASCIIWhitespace } ?? line.endIndex
        let lineStart = line[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = line.lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? lineStart
        return lineStart < end ? String(decoding: line[lineStart..<end], as: UTF8.self) : ""
    }
}
