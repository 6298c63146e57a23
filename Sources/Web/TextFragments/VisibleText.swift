/// The text of a document that a reader can see, ready to be searched for passages.
public struct VisibleText {
    let folded: FoldedText

    /// Of a document in UTF-8.
    public init(html bytes: [UInt8], limits: HTMLLimits = HTMLLimits()) {
        self.init(HTMLTree(bytes, limits: limits))
    }

    /// Of a text that is shown as it is written.
    public init(plain bytes: [UInt8]) {
        var folded = FoldedText()
        folded.append(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        folded.endBlock()
        self.folded = folded
    }

    init(_ tree: HTMLTree) {
        var folded = FoldedText()
        var node: HTMLTree.Node? = tree.body
        while let current = node {
            let isHidden = Self.isHidden(current, tree)
            if tree.isText(current) {
                folded.append(tree.text(current).unicodeScalars)
            } else if !isHidden {
                Self.breaks(tree.element(current), &folded)
            }
            node = Self.advance(current, tree, skippingChildren: isHidden, &folded)
        }
        folded.endBlock()
        self.folded = folded
    }

    private static func advance(
        _ node: HTMLTree.Node, _ tree: HTMLTree, skippingChildren: Bool, _ folded: inout FoldedText
    ) -> HTMLTree.Node? {
        if !skippingChildren, let child = tree.firstChild(of: node) { return child }
        var current = node
        while current != tree.body {
            breaks(tree.element(current), &folded)
            if let sibling = tree.nextSibling(of: current) { return sibling }
            guard let parent = tree.parent(of: current) else { return nil }
            current = parent
        }
        return nil
    }

    private static func breaks(_ element: HTMLElement?, _ folded: inout FoldedText) {
        switch element {
        case .br: folded.append([" "])
        case .some(let element) where element.isBlock: folded.endBlock()
        default: break
        }
    }

    /// What no browser shows, as far as the document says so itself. What is folded away is opened
    /// for who looks for it.
    private static func isHidden(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Bool {
        switch tree.element(node) {
        case .script, .style, .template, .noscript, .iframe, .object, .audio, .video, .textarea,
            .select, .head, .title, .noembed, .noframes:
            return true
        default: break
        }
        if tree.isText(node) { return false }
        if let hidden = tree.value(.hidden, of: node) {
            return hidden.lowercased() != "until-found"
        }
        let style = tree.value(.style, of: node)?.lowercased().filter { !$0.isWhitespace }
        return style?.contains("display:none") ?? false
    }
}

extension VisibleText {
    /// Whether a passage is there. In a time that grows with the lengths of the text and of the
    /// terms alone.
    public func has(_ directive: TextDirective) -> Bool {
        var starts = matches(of: directive.start)
        if let prefix = directive.prefix {
            let places = Set(
                matches(of: prefix).filter { folded.isWordBoundary($0.lowerBound) }
                    .map { skipSpace($0.upperBound) })
            starts.removeAll { !places.contains($0.lowerBound) }
        } else {
            starts.removeAll { !folded.isWordBoundary($0.lowerBound) }
        }
        guard let end = directive.end else { return starts.contains { ends(at: $0, directive) } }
        starts.removeAll { !folded.isWordBoundary($0.upperBound) }
        let last = matches(of: end).last {
            folded.isWordBoundary($0.lowerBound) && ends(at: $0, directive)
        }
        guard let last, let first = starts.first else { return false }
        return last.lowerBound >= first.upperBound
    }

    /// Whether a passage may end with a match.
    private func ends(at match: Range<Int>, _ directive: TextDirective) -> Bool {
        guard let suffix = directive.suffix else { return folded.isWordBoundary(match.upperBound) }
        let term = FoldedText(term: suffix).scalars
        let start = skipSpace(match.upperBound)
        let stop = start + term.count
        guard stop <= folded.scalars.count else { return false }
        return folded.scalars[start..<stop].elementsEqual(term) && folded.isWordBoundary(stop)
    }

    private func skipSpace(_ index: Int) -> Int {
        var index = index
        while index < folded.scalars.count, folded.scalars[index] <= FoldedText.space { index += 1 }
        return index
    }

    /// Every place of a term, overlapping ones too (Knuth, Morris and Pratt).
    private func matches(of text: String) -> [Range<Int>] {
        let term = FoldedText(term: text).scalars
        guard !term.isEmpty, !term.contains(FoldedText.blockEnd) else { return [] }
        var borders = [0]
        borders.reserveCapacity(term.count)
        var length = 0
        for scalar in term.dropFirst() {
            while length > 0, term[length] != scalar { length = borders[length - 1] }
            if term[length] == scalar { length += 1 }
            borders.append(length)
        }
        var found: [Range<Int>] = []
        length = 0
        for (index, scalar) in folded.scalars.enumerated() {
            while length > 0, length == term.count || term[length] != scalar {
                length = borders[length - 1]
            }
            if term[length] == scalar { length += 1 }
            if length == term.count { found.append(index + 1 - length..<index + 1) }
        }
        return found
    }
}
