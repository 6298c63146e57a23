extension HTMLTree {
    public func isText(_ node: Node) -> Bool { self[node].isText }

    /// What the element is, if it is one of those that are asked for by name; nil for a text.
    public func element(_ node: Node) -> HTMLElement? { self[node].element }

    /// Whether the element is one of SVG or MathML.
    public func isForeign(_ node: Node) -> Bool { self[node].isForeign }

    /// The bytes from the start tag to the end of the element, or those of the text.
    public func range(of node: Node) -> Range<Int> {
        Int(self[node].start)..<max(Int(self[node].start), Int(self[node].end))
    }

    public func parent(of node: Node) -> Node? { link(self[node].parent) }
    public func firstChild(of node: Node) -> Node? { link(self[node].firstChild) }
    public func nextSibling(of node: Node) -> Node? { link(self[node].next) }

    private func link(_ index: Int32) -> Node? { index == HTMLTree.none ? nil : Node(index: index) }

    public func children(of node: Node) -> [Node] {
        var children: [Node] = []
        var next = firstChild(of: node)
        while let child = next {
            children.append(child)
            next = nextSibling(of: child)
        }
        return children
    }

    /// The node that comes after `node` in the order of the tree, inside of `ancestor`.
    /// - Parameter skippingChildren: whether to pass over what is inside of `node`.
    public func next(
        after node: Node, in ancestor: Node, skippingChildren: Bool = false
    ) -> Node? {
        if !skippingChildren, let child = firstChild(of: node) { return child }
        var current = node
        while current != ancestor {
            if let sibling = nextSibling(of: current) { return sibling }
            guard let parent = parent(of: current) else { return nil }
            current = parent
        }
        return nil
    }

    /// The first element of a kind inside of `ancestor`.
    public func first(_ element: HTMLElement, in ancestor: Node) -> Node? {
        var node: Node? = ancestor
        while let current = node {
            if self[current].element == element, !isForeign(current) { return current }
            node = next(after: current, in: ancestor)
        }
        return nil
    }

    /// The name of the element, in lower case; empty for a text.
    public func name(of node: Node) -> String {
        let record = self[node]
        if record.isText { return "" }
        // An element that no tag made.
        if record.content.isEmpty { return record.element?.rawValue ?? "" }
        let bytes = source[Int(record.content.lowerBound)..<Int(record.content.upperBound)]
        return String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
    }

    /// The attribute called `name`, decoded; nil if the element has none.
    public func value(_ name: HTMLAttributeName, of node: Node) -> String? {
        attribute(name, of: node).map { value(of: $0) }
    }

    func value(of attribute: HTMLAttribute) -> String {
        source.withUnsafeBufferPointer { source in
            let bytes = source.slice(attribute.valueRange)
            if HTMLText.isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
            var decoded: [UInt8] = []
            let rules = HTMLText.Rules(hasReferences: true, replacesNUL: true, isAttribute: true)
            HTMLText.decode(source, attribute.valueRange, rules, into: &decoded)
            return String(decoding: decoded, as: UTF8.self)
        }
    }

    func attribute(_ name: HTMLAttributeName, of node: Node) -> HTMLAttribute? {
        let range = self[node].attributes
        for index in Int(range.lowerBound)..<Int(range.upperBound)
        where attributes[index].name == name {
            return attributes[index]
        }
        return nil
    }

    /// The text of a text node, decoded.
    public func text(_ node: Node) -> String {
        var bytes: [UInt8] = []
        appendText(node, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All text inside of `node`, up to about `limit` bytes.
    public func textContent(of node: Node, limit: Int = .max) -> String {
        var bytes: [UInt8] = []
        var current: Node? = node
        while let inner = current, bytes.count < limit {
            appendText(inner, to: &bytes)
            current = next(after: inner, in: node)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendText(_ node: Node, to bytes: inout [UInt8]) {
        let record = self[node]
        guard record.isText else { return }
        let rules = HTMLText.Rules(
            hasReferences: record.textContent == .data || record.textContent == .rcdata,
            replacesNUL: record.textContent != .data && record.textContent != .cdata)
        append(
            Int(record.content.lowerBound)..<Int(record.content.upperBound), rules, to: &bytes)
    }

    private func append(_ range: Range<Int>, _ rules: HTMLText.Rules, to bytes: inout [UInt8]) {
        source.withUnsafeBufferPointer { source in
            if HTMLText.isPlain(source.slice(range)) {
                bytes.append(contentsOf: source.slice(range))
            } else {
                HTMLText.decode(source, range, rules, into: &bytes)
            }
        }
    }
}
