/// Builds an `HTMLTree` out of tokens. What is open lies on a stack; nothing recurses.
///
/// The files of this type follow the standard's order: this one has the nodes and the stack,
/// `+Tags` what each tag does, `+Tables` and `+Formatting` the rules with a shape of their own.
struct HTMLTreeBuilder {
    typealias Record = HTMLTree.Record

    let limits: HTMLLimits
    var records: [Record] = []
    var attributes: [HTMLAttribute] = []
    var head = HTMLTree.none
    var body = HTMLTree.none
    /// The open elements, the innermost last; the first is `html`.
    var open: [Int32] = []
    /// How many of each HTML element are open, so that an end tag without one costs nothing.
    private var openCounts = [Int32](repeating: 0, count: 256)
    /// The formatting elements that are reopened, with nil for a marker.
    var formatting: [Int32?] = []
    /// Start tags that went over the depth, whose end tags mean nothing.
    var tooDeep = 0
    /// Set behind `<pre>`, whose first newline isn't part of it.
    var dropsNewline = false
    var excess: HTMLExcess = []
    /// Where the current token begins and ends.
    var tokenStart: Int32 = 0
    var tokenEnd: Int32 = 0
    /// Where the name of the current tag begins.
    var nameStart: Int32 = 0

    /// - Parameter bytes: how long the document is.
    init(limits: HTMLLimits, bytes: Int) {
        self.limits = limits
        var html = Record(content: 0..<0, start: 0, end: 0)
        html.element = .html
        // Pages have a node for each thirty bytes or so.
        records.reserveCapacity(min(bytes / 32, limits.maxNodes) + 16)
        records.append(html)
        appendOpen(0)
        head = insertImplied(.head)
    }

    func isOpen(_ element: HTMLElement?) -> Bool {
        openCounts[HTMLTreeBuilder.slot(element)] > 0
    }

    /// All that are not asked for by name share one.
    private static func slot(_ element: HTMLElement?) -> Int {
        // An enum without payloads, and with fewer than 256 cases, is one byte.
        element.map { Int(unsafeBitCast($0, to: UInt8.self)) } ?? 255
    }

    mutating func appendOpen(_ index: Int32) {
        open.append(index)
        let record = records[Int(index)]
        if !record.isForeign { openCounts[HTMLTreeBuilder.slot(record.element)] += 1 }
    }

    var isFull: Bool { excess.contains(.nodes) }
    var current: Int32 { open[open.count - 1] }
    var currentElement: HTMLElement? { element(current) }

    /// The element that an open node is, in HTML; nil for one of SVG or MathML.
    func element(_ index: Int32) -> HTMLElement? {
        let record = records[Int(index)]
        return record.isForeign ? nil : record.element
    }

    mutating func take(_ kind: HTMLTokenizer.Kind, _ token: borrowing HTMLTokenizer) {
        tokenStart = Int32(token.tokenRange.lowerBound)
        tokenEnd = Int32(token.tokenRange.upperBound)
        nameStart = Int32(token.nameRange.lowerBound)
        switch kind {
        case .startTag:
            dropsNewline = false
            startTag(token)
        case .endTag:
            dropsNewline = false
            if tooDeep > 0 { tooDeep -= 1 } else { endTag(token) }
        case .text:
            text(token)
            dropsNewline = false
        case .comment, .doctype: break
        }
    }

    mutating func finish(_ token: borrowing HTMLTokenizer) {
        if body == HTMLTree.none { enterBody() }
        tokenStart = Int32(token.position)
        while !open.isEmpty { pop() }
        excess.formUnion(token.excess)
    }

    // MARK: Nodes

    /// Puts a node where content goes: into the current element or, if that is part of a table
    /// and the node is not, before the table.
    mutating func insert(_ record: Record, belongsInTable: Bool = true) -> Int32 {
        guard records.count < limits.maxNodes else {
            excess.insert(.nodes)
            return HTMLTree.none
        }
        let index = Int32(records.count)
        records.append(record)
        if !belongsInTable, currentElement?.holdsTableParts == true, let table = lastTable() {
            link(index, before: table)
        } else {
            link(index, into: current)
        }
        return index
    }

    private func lastTable() -> Int32? {
        guard isOpen(.table) else { return nil }
        let table = open.last { element($0) == .table || element($0) == .template }
        guard let table, element(table) == .table, records[Int(table)].parent != HTMLTree.none
        else { return nil }
        return table
    }

    private mutating func link(_ index: Int32, into parent: Int32) {
        // A pointer: each write would ask whether the array is somebody else's too.
        records.withUnsafeMutableBufferPointer { records in
            let last = records[Int(parent)].lastChild
            records[Int(index)].parent = parent
            records[Int(index)].previous = last
            records[Int(parent)].lastChild = index
            if last == HTMLTree.none {
                records[Int(parent)].firstChild = index
            } else {
                records[Int(last)].next = index
            }
        }
    }

    private mutating func link(_ index: Int32, before sibling: Int32) {
        let parent = records[Int(sibling)].parent
        let previous = records[Int(sibling)].previous
        records[Int(index)].parent = parent
        records[Int(index)].previous = previous
        records[Int(index)].next = sibling
        records[Int(sibling)].previous = index
        if previous == HTMLTree.none {
            records[Int(parent)].firstChild = index
        } else {
            records[Int(previous)].next = index
        }
    }

    /// The element of the tag, with its attributes.
    mutating func record(_ tag: borrowing HTMLTokenizer) -> Record {
        let name = Int32(tag.nameRange.lowerBound)..<Int32(tag.nameRange.upperBound)
        var record = Record(content: name, start: tokenStart, end: tokenEnd)
        record.element = tag.element
        record.isForeign = tag.isForeign
        let first = Int32(attributes.count)
        attributes.append(contentsOf: tag.attributes)
        record.attributes = first..<Int32(attributes.count)
        return record
    }

    /// Inserts the element of the tag and leaves it open.
    @discardableResult
    mutating func push(_ tag: borrowing HTMLTokenizer) -> Int32 {
        let record = record(tag)
        let index = insert(record, belongsInTable: record.element?.isTablePart == true)
        return push(index)
    }

    @discardableResult
    mutating func push(_ index: Int32) -> Int32 {
        if index == HTMLTree.none { return index }
        if open.count >= limits.maxDepth {
            excess.insert(.depth)
            tooDeep += 1
        } else {
            appendOpen(index)
            if element(index)?.hasMarker == true { formatting.append(nil) }
        }
        return index
    }

    /// Inserts an element that no tag made, and leaves it open.
    @discardableResult
    mutating func insertImplied(_ element: HTMLElement) -> Int32 {
        var record = Record(content: 0..<0, start: tokenStart, end: tokenStart)
        record.element = element
        return push(insert(record))
    }

    /// Closes the innermost element.
    mutating func pop() {
        let index = open.removeLast()
        if !records[Int(index)].isForeign {
            openCounts[HTMLTreeBuilder.slot(records[Int(index)].element)] -= 1
        }
        records[Int(index)].end = max(records[Int(index)].end, tokenStart)
        if element(index)?.hasMarker == true { clearFormattingToMarker() }
    }

    mutating func pop(through place: Int) {
        while open.count > place, open.count > 1 { pop() }
    }

    // MARK: Text

    private mutating func text(_ token: borrowing HTMLTokenizer) {
        var range = token.textRange
        if dropsNewline {
            let bytes = token.source.slice(range)
            if bytes.first == 0x0D, bytes.dropFirst().first == 0x0A {
                range = range.dropFirst(2)
            } else if bytes.first == 0x0A || bytes.first == 0x0D {
                range = range.dropFirst()
            }
            if range.isEmpty { return }
        }
        // A closure: a key path is looked up for each byte.
        let isBlank = token.source.slice(range).allSatisfy { $0.isASCIIWhitespace }
        if body == HTMLTree.none, currentElement == .head || currentElement == .html {
            if isBlank { return }
            enterBody()
        }
        if !isBlank, currentElement == .colgroup { pop() }
        if !isBlank, !token.isRawText { reconstructFormatting() }
        let content = Int32(range.lowerBound)..<Int32(range.upperBound)
        var record = Record(content: content, start: content.lowerBound, end: content.upperBound)
        record.isText = true
        record.textContent = token.textContent
        _ = insert(record, belongsInTable: isBlank)
    }
}
