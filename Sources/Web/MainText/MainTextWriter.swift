/// Writes the text of an element as blocks, in one walk without recursion.
struct MainTextWriter {
    let weights: ParagraphWeights
    let maxBytes: Int
    /// Whether lists of links count as text.
    let keepsLinks: Bool
    private(set) var blocks: [TextBlock] = []
    private(set) var image: String?
    private var line: [UInt8] = []
    private var current = TextBlock(kind: .loose, text: "")
    private var zone = TextBlock.Zone.inside
    private(set) var written = 0
    private var isPreformatted = false
    private let tree: HTMLTree

    init(_ weights: ParagraphWeights, maxBytes: Int, keepsLinks: Bool = false) {
        self.weights = weights
        tree = weights.tree
        self.maxBytes = maxBytes
        self.keepsLinks = keepsLinks
    }

    /// - Parameter inner: the element inside of `root` that is named as the text.
    mutating func write(_ root: HTMLTree.Node, inner: HTMLTree.Node) {
        zone = inner == root ? .inside : .before
        var node: HTMLTree.Node? = root
        while let current = node, written < maxBytes {
            if current == inner { change(to: .inside) }
            let isSkipped = current != root && isSkipped(current)
            if isSkipped {
                skip(current)
            } else {
                enter(current)
            }
            node = advance(current, root, inner, skippingChildren: isSkipped)
        }
        endParagraph()
    }

    private mutating func change(to next: TextBlock.Zone) {
        endParagraph()
        zone = next
    }

    /// What says nothing leaves no gap.
    private mutating func skip(_ node: HTMLTree.Node) {
        guard tree.element(node)?.isBlock != false,
            weights.measure.nodes[Int(node.index)].allLength > 0
        else { return }
        endParagraph()
        if blocks.last?.kind != .gap {
            blocks.append(TextBlock(kind: .gap, text: "", zone: zone))
        }
    }

    private func isSkipped(_ node: HTMLTree.Node) -> Bool {
        let index = Int(node.index)
        if weights.nodes[index].isExcluded { return true }
        if keepsLinks { return false }
        // Lists, tables and boxes of links.
        switch tree.element(node) {
        case .ul, .ol, .dl, .div, .section, .table: return weights.linkShare(node) > 0.6
        default: return false
        }
    }

    private mutating func enter(_ node: HTMLTree.Node) {
        if tree.isText(node) { return take(node) }
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

    private mutating func take(_ node: HTMLTree.Node) {
        tree.appendText(node, to: &line)
        let text = weights.measure.nodes[Int(node.index)]
        guard text.length > 0 else { return }
        if current.length == 0 { current.kind = kind(Int(text.block)) }
        current.length += text.length
        if text.places.contains(.link) { current.linkLength += text.length }
        if text.places.contains(.emphasis) { current.emphasisLength += text.length }
    }

    private func kind(_ block: Int) -> TextBlock.Kind {
        if isPreformatted { return .preformatted }
        return switch tree.records[block].element {
        case .h1: .heading(1)
        case .h2: .heading(2)
        case .h3: .heading(3)
        case .h4: .heading(4)
        case .h5: .heading(5)
        case .h6: .heading(6)
        case .p, .blockquote, .summary: .paragraph
        case .li, .dt, .dd: .item
        case .td, .th, .caption, .tr: .cell
        default: .loose
        }
    }

    /// To the next node; what ends on the way ends its paragraph.
    private mutating func advance(
        _ node: HTMLTree.Node, _ root: HTMLTree.Node, _ inner: HTMLTree.Node,
        skippingChildren: Bool
    ) -> HTMLTree.Node? {
        if !skippingChildren, let child = tree.firstChild(of: node) { return child }
        var current = node
        while current != root {
            leave(current)
            if current == inner { change(to: .after) }
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
        dropSoftHyphens()
        let text = isPreformatted ? verbatim() : HTMLText.collapsing(line, limit: .max)
        line.removeAll(keepingCapacity: true)
        defer { current = TextBlock(kind: .loose, text: "", zone: zone) }
        guard !text.isEmpty else { return }
        current.text = text
        current.zone = zone
        blocks.append(current)
        written += text.utf8.count
    }

    /// U+00AD says where a line may break, and is no part of a word.
    private mutating func dropSoftHyphens() {
        guard line.contains(0xC2) else { return }
        var kept = 0
        var index = 0
        while index < line.count {
            if line[index] == 0xC2, index + 1 < line.count, line[index + 1] == 0xAD {
                index += 2
                continue
            }
            line[kept] = line[index]
            (kept, index) = (kept + 1, index + 1)
        }
        line.removeLast(line.count - kept)
    }

    /// Without empty lines around it and spaces at its end.
    private func verbatim() -> String {
        let start = line.firstIndex { !$0.isASCIIWhitespace } ?? line.endIndex
        let lineStart = line[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = line.lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? lineStart
        return lineStart < end ? String(decoding: line[lineStart..<end], as: UTF8.self) : ""
    }
}
