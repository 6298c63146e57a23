import TenureLibcmark

/// The parser's.
typealias MarkdownNode = OpaquePointer

/// Where the nodes of a parsed document stand in its source.
struct MarkdownPlaces {
    let source: [UInt8]
    /// The offset at which each line begins.
    private let lines: [Int]

    init(_ source: [UInt8]) {
        self.source = source
        lines =
            [0]
            + source.indices.filter { index in
                source[index] == UInt8(ascii: "\n")
                    || source[index] == UInt8(ascii: "\r")
                        && (index + 1 == source.count || source[index + 1] != UInt8(ascii: "\n"))
            }.map { $0 + 1 }
    }

    /// Nil for a node that the parser has made without a place.
    func offset(of node: MarkdownNode) -> Int? {
        let line = Int(cmark_node_get_start_line(node))
        let column = Int(cmark_node_get_start_column(node))
        guard line > 0, column > 0, line <= lines.count else { return nil }
        return min(lines[line - 1] + column - 1, source.count)
    }

    /// The parser has no place for a URL that stands in the text as it is, and a wrong one for a
    /// URL in angle brackets: it is looked for.
    func offset(ofLink node: MarkdownNode, after cursor: Int) -> Int {
        let text = cmark_node_first_child(node)
        if let text, cmark_node_get_type(text) == CMARK_NODE_TEXT,
            let literal = cmark_node_get_literal(text), let url = cmark_node_get_url(node)
        {
            let (shown, url) = (String(cString: literal), String(cString: url))
            if url == shown || url == "mailto:" + shown || url == "http://" + shown {
                return find(shown, from: cursor) ?? cursor
            }
        }
        return offset(of: node) ?? cursor
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var index = start
        while index + wanted.count <= source.count {
            guard let next = source[index...].firstIndex(of: first) else { return nil }
            if source[next...].starts(with: wanted) { return next }
            index = next + 1
        }
        return nil
    }

    func position(at offset: Int) -> SourcePosition {
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle } else { high = middle }
        }
        let before = source[min(lines[low], source.count)..<min(offset, source.count)]
        return SourcePosition(
            offset: offset, line: low + 1, column: before.count { $0 & 0xC0 != 0x80 } + 1)
    }
}
