/// What each tag does (sections 13.2.6.4.4 to 13.2.6.4.7 and 13.2.6.5).
extension HTMLTreeBuilder {
    mutating func startTag(_ tag: borrowing HTMLTokenizer) {
        if tag.isForeign { return startForeign(tag) }
        // What breaks out of SVG or MathML ends all of it.
        while records[Int(current)].isForeign, !holdsHTML(current) { pop() }
        let element = tag.element
        switch element {
        case .html: return adopt(tag, 0)
        case .head: return adopt(tag, head)
        case .frameset, .frame: return
        case .body: return startBody(tag)
        default: break
        }
        if body == HTMLTree.none, !isInHeadText {
            if let element, element.isHeadContent { return startInHead(element, tag) }
            enterBody()
        }
        startInBody(element, tag)
    }

    private var isInHeadText: Bool { currentElement == .template }

    private mutating func startBody(_ tag: borrowing HTMLTokenizer) {
        if body == HTMLTree.none { enterBody() }
        adopt(tag, body)
    }

    /// Gives the attributes of a tag to an element that is there already, if it has none.
    private mutating func adopt(_ tag: borrowing HTMLTokenizer, _ index: Int32) {
        guard index != HTMLTree.none, records[Int(index)].content.isEmpty else { return }
        let record = record(tag)
        records[Int(index)].content = record.content
        records[Int(index)].attributes = record.attributes
        records[Int(index)].start = record.start
        records[Int(index)].end = record.end
    }

    private mutating func startInHead(_ element: HTMLElement, _ tag: borrowing HTMLTokenizer) {
        if currentElement == .noscript, element == .noscript { return }
        if element.isVoid { insertVoid(tag) } else { push(tag) }
    }

    mutating func insertVoid(_ tag: borrowing HTMLTokenizer) {
        let record = record(tag)
        _ = insert(record, belongsInTable: record.element?.isTablePart == true)
    }

    // MARK: In body

    private mutating func startInBody(_ element: HTMLElement?, _ tag: borrowing HTMLTokenizer) {
        if currentElement == .colgroup, element != .col, element != .template { pop() }
        guard let element else {
            reconstructFormatting()
            push(tag)
            return
        }
        if element.isTablePart { return startTablePart(element, tag) }
        if element.closesParagraph { return startBlock(element, tag) }
        if element.isHeadContent { return startInPlace(element, tag) }
        if element.isFormatting { return startFormatting(element, tag) }
        switch element {
        case .table: startTable(tag)
        case .li:
            closeItem { $0 == .li }
            closeParagraph()
            push(tag)
        case .dd, .dt:
            closeItem { $0 == .dd || $0 == .dt }
            closeParagraph()
            push(tag)
        case .button, .option, .optgroup, .select, .rb, .rtc, .rt, .rp:
            endBefore(element)
            push(tag)
        case .param, .source, .track: insertVoid(tag)
        default:
            reconstructFormatting()
            if element.isVoid { insertVoid(tag) } else { push(tag) }
            dropsNewline = element == .textarea
        }
    }

    /// What a start tag ends that is no block.
    private mutating func endBefore(_ element: HTMLElement) {
        switch element {
        case .button: close(.button)
        case .option where currentElement == .option: pop()
        case .optgroup:
            if currentElement == .option { pop() }
            if currentElement == .optgroup { pop() }
        case .rb, .rtc: if place({ $0 == .ruby }) != nil { popImplied() }
        case .rt, .rp: if place({ $0 == .ruby }) != nil { popImplied(except: .rtc) }
        default: break
        }
        if !element.hasImpliedEnd || element == .option || element == .optgroup {
            reconstructFormatting()
        }
    }

    private mutating func startInPlace(_ element: HTMLElement, _ tag: borrowing HTMLTokenizer) {
        let record = record(tag)
        let index = insert(record)
        if !element.isVoid { push(index) }
    }

    private mutating func startBlock(_ element: HTMLElement, _ tag: borrowing HTMLTokenizer) {
        if element == .form, isOpen(.form) { return }
        closeParagraph()
        if element == .xmp { reconstructFormatting() }
        if element.isHeading, currentElement?.isHeading == true { pop() }
        if element.isVoid { return insertVoid(tag) }
        push(tag)
        dropsNewline = element == .pre || element == .listing
    }

    private mutating func startFormatting(_ element: HTMLElement, _ tag: borrowing HTMLTokenizer) {
        if element == .a { endOpen(.a) }
        reconstructFormatting()
        if element == .nobr, place({ $0 == .nobr }) != nil {
            endOpen(.nobr)
            reconstructFormatting()
        }
        let depth = open.count
        let index = push(tag)
        if open.count > depth { noteFormatting(index) }
    }

    // MARK: End tags

    mutating func endTag(_ tag: borrowing HTMLTokenizer) {
        if records[Int(current)].isForeign, endForeign(tag) { return }
        guard let element = tag.element else {
            return endOrdinary(nil, tag.source.slice(tag.nameRange))
        }
        switch element {
        case .html, .body, .head: return
        default: break
        }
        if body == HTMLTree.none {
            if element.isHeadContent { close(element) }
            // The only others that mean anything before the body.
            guard element == .br || element == .p else { return }
            enterBody()
        }
        endInBody(element)
    }

    private mutating func endInBody(_ element: HTMLElement) {
        if element.isTablePart { return endTablePart(element) }
        if element.isFormatting { return endFormatting(element) }
        if element.isHeading {
            if let place = place({ $0.isHeading }) { pop(through: place) }
            return
        }
        switch element {
        case .p:
            if !isOpen(.p) || place(in: .button, { $0 == .p }) == nil { insertImplied(.p) }
            closeParagraph()
        case .br:
            reconstructFormatting()
            var record = HTMLTree.Record(content: 0..<0, start: tokenStart, end: tokenEnd)
            record.element = .br
            _ = insert(record, belongsInTable: false)
        case .li: close(.li, in: .list)
        case .table: close(.table, in: .table)
        case .template:
            if let place = open.lastIndex(where: { self.element($0) == .template }) {
                pop(through: place)
            }
        case _ where element.closesParagraph: close(element)
        case .dd, .dt, .applet, .marquee, .object, .button, .select: close(element)
        default: endOrdinary(element)
        }
    }

    /// "Any other end tag": the innermost of its name, if no special element is in between.
    /// - Parameter name: for an element that isn't asked for by name.
    mutating func endOrdinary(
        _ element: HTMLElement?, _ name: UnsafeBufferPointer<UInt8>? = nil
    ) {
        guard isOpen(element) else { return }
        for place in open.indices.reversed() where place > 0 {
            let record = records[Int(open[place])]
            if record.isForeign { return }
            if record.element == element, name == nil || hasName(record, name) {
                return pop(through: place)
            }
            if record.element?.isSpecial == true { return }
        }
    }

    private func hasName(_ record: HTMLTree.Record, _ name: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let name, let start = name.baseAddress, record.content.count == name.count else {
            return false
        }
        // The name lies in the document, and so does that of every element.
        let own = start - Int(nameStart) + Int(record.content.lowerBound)
        return (0..<name.count).allSatisfy { own[$0].asciiLowercased == name[$0].asciiLowercased }
    }

    // MARK: SVG and MathML

    private mutating func startForeign(_ tag: borrowing HTMLTokenizer) {
        if body == HTMLTree.none, currentElement != .template { enterBody() }
        if !records[Int(current)].isForeign { reconstructFormatting() }
        if currentElement == .colgroup { pop() }
        let record = record(tag)
        let index = insert(record, belongsInTable: false)
        if !tag.isSelfClosing { push(index) }
    }

    /// Closes the foreign element of that name; false if HTML comes before it on the stack.
    private mutating func endForeign(_ tag: borrowing HTMLTokenizer) -> Bool {
        for place in open.indices.reversed() {
            let record = records[Int(open[place])]
            guard record.isForeign else { return false }
            let name = tag.element == nil ? tag.source.slice(tag.nameRange) : nil
            if record.element == tag.element, name == nil || hasName(record, name) {
                pop(through: place)
                return true
            }
        }
        return false
    }
}
