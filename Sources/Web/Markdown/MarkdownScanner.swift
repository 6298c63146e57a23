import Synchronization
import TenureLibcmark

/// Goes through a parsed document from its beginning to its end.
struct MarkdownScanner {
    private(set) var result = MarkdownReferences()
    private let places: MarkdownPlaces
    private let documentURL: WebURL
    private let base: URLRecord
    private let limits: HTMLLimits
    private var names = HeadingNames()
    /// What readers see of the links and images that are open, the innermost last.
    private var open: [(index: Int, text: [UInt8])] = []
    private var heading: String?
    /// Everything before it has been met.
    private var cursor = 0

    init(_ source: [UInt8], _ documentURL: WebURL, _ limits: HTMLLimits) {
        places = MarkdownPlaces(source)
        self.documentURL = documentURL
        base = URLRecord(documentURL)
        self.limits = limits
    }

    /// Once for the process.
    private static let isRegistered: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()

    /// Which characters begin what extensions read stands in one table for the whole process, which
    /// cmark-gfm fills and clears around the parsing of each document's lines.
    private static let oneAtATime = Mutex(())

    mutating func run() {
        guard Self.isRegistered else { return }
        let options = CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_FOOTNOTES
        guard let parser = cmark_parser_new(options) else {
            result.isComplete = false
            return
        }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough", "autolink", "tasklist"] {
            cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        places.source.withUnsafeBytes { bytes in
            cmark_parser_feed(
                parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard let document = Self.finish(parser) else {
            result.isComplete = false
            return
        }
        defer { cmark_node_free(document) }
        guard let walk = cmark_iter_new(document) else {
            result.isComplete = false
            return
        }
        defer { cmark_iter_free(walk) }
        while true {
            let event = cmark_iter_next(walk)
            if event == CMARK_EVENT_DONE { break }
            guard let node = cmark_iter_get_node(walk) else { break }
            event == CMARK_EVENT_ENTER ? enter(node) : leave(node)
        }
    }

    private static func finish(_ parser: OpaquePointer) -> MarkdownNode? {
        nonisolated(unsafe) let parser = parser
        nonisolated(unsafe) var document: MarkdownNode?
        oneAtATime.withLock { _ in document = cmark_parser_finish(parser) }
        return document
    }

    private mutating func enter(_ node: MarkdownNode) {
        let type = cmark_node_get_type(node)
        if let place = places.offset(of: node), type != CMARK_NODE_LINK {
            cursor = max(cursor, place)
        }
        switch type {
        case CMARK_NODE_LINK: refer(node, .anchor, "a", "href")
        case CMARK_NODE_IMAGE: refer(node, .image, "img", "src")
        case CMARK_NODE_HEADING: heading = ""
        case CMARK_NODE_TEXT, CMARK_NODE_CODE: take(Self.literal(node))
        case CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK: take(" ")
        case CMARK_NODE_HTML_INLINE, CMARK_NODE_HTML_BLOCK: scanHTML(node)
        default: break
        }
    }

    private mutating func leave(_ node: MarkdownNode) {
        switch cmark_node_get_type(node) {
        case CMARK_NODE_LINK, CMARK_NODE_IMAGE:
            guard let done = open.popLast(), result.references.indices.contains(done.index) else {
                return
            }
            let text = HTMLText.collapsing(done.text, limit: ReferenceScanner.maxTextBytes)
            result.references[done.index].text = text.isEmpty ? nil : text
        case CMARK_NODE_HEADING:
            guard let text = heading else { return }
            heading = nil
            let position = places.position(at: places.offset(of: node) ?? cursor)
            for name in names.names(of: text) { add(name, position) }
        default: break
        }
    }

    private mutating func take(_ text: String) {
        heading? += text
        for index in open.indices where open[index].text.count < ReferenceScanner.maxTextBytes {
            open[index].text += text.utf8
        }
    }

    private mutating func refer(
        _ node: MarkdownNode, _ kind: Reference.Kind, _ element: String,
        _ attribute: String
    ) {
        guard result.references.count < limits.maxReferences else {
            result.isComplete = false
            return open.append((.max, []))
        }
        let raw = cmark_node_get_url(node).map { String(cString: $0) } ?? ""
        let place = places.offset(ofLink: node, after: cursor)
        cursor = max(cursor, place)
        open.append((result.references.count, []))
        result.references.append(
            Reference(
                raw: raw, target: .resolving(raw, against: base, .utf8), kind: kind,
                element: element, attribute: attribute, position: places.position(at: place)))
    }

    private mutating func add(_ name: String, _ position: SourcePosition) {
        guard result.anchors.count < limits.maxAnchors else {
            result.isComplete = false
            return
        }
        if !name.isEmpty { result.anchors.append(Anchor(name: name, position: position)) }
    }

    /// A browser gets it as it stands.
    private mutating func scanHTML(_ node: MarkdownNode) {
        let literal = Array(Self.literal(node).utf8)
        let start = places.position(at: places.offset(of: node) ?? cursor)
        let scan = HTMLReferences.scan(
            literal, documentURL: documentURL, limits: limits, isOfForge: true)
        let left = limits.maxReferences - result.references.count
        if scan.references.count > left || !scan.excess.isEmpty { result.isComplete = false }
        result.references += scan.references.prefix(left).map { found in
            var found = found
            found.position = start.moved(by: found.position, within: places.source.count)
            return found
        }
        for anchor in scan.anchors {
            add(anchor.name, start.moved(by: anchor.position, within: places.source.count))
        }
        for heading in HTMLHeadings.texts(in: literal) {
            for name in names.names(of: heading) { add(name, start) }
        }
    }

    private static func literal(_ node: MarkdownNode) -> String {
        cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }
}

extension SourcePosition {
    /// Where a place within what begins here stands. The parser has put longer bytes in the place
    /// of some.
    fileprivate func moved(by other: SourcePosition, within end: Int) -> SourcePosition {
        SourcePosition(
            offset: min(offset + other.offset, end), line: line + other.line - 1,
            column: other.line == 1 ? column + other.column - 1 : other.column)
    }
}
