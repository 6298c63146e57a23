/// The stack of open elements and how far one looks into it (section 13.2.4.2).
extension HTMLTreeBuilder {
    enum Scope {
        case ordinary, button, list, table
    }

    /// The place on the stack of the innermost element for which `matches` holds, in `scope`.
    func place(in scope: Scope = .ordinary, _ matches: (HTMLElement) -> Bool) -> Int? {
        var place = open.count - 1
        while place >= 0 {
            let index = open[place]
            if let element = element(index) {
                if matches(element) { return place }
                if ends(scope, element) { return nil }
            } else if scope != .table, holdsHTML(index) {
                return nil
            }
            place -= 1
        }
        return nil
    }

    private func ends(_ scope: Scope, _ element: HTMLElement) -> Bool {
        switch scope {
        case .ordinary: element.endsScope
        case .button: element.endsScope || element == .button
        case .list: element.endsScope || element == .ol || element == .ul
        case .table: element == .html || element == .table || element == .template
        }
    }

    /// An integration point: an element of SVG or MathML with HTML in it.
    func holdsHTML(_ index: Int32) -> Bool {
        let record = records[Int(index)]
        return record.isForeign && (record.element.map(ForeignContent.holdsHTML) ?? false)
    }

    /// "Generate implied end tags", except for `element`.
    mutating func popImplied(except element: HTMLElement? = nil) {
        while let current = currentElement, current.hasImpliedEnd, current != element { pop() }
    }

    /// Closes everything up to the innermost `element`, if there is one in scope.
    @discardableResult
    mutating func close(_ element: HTMLElement, in scope: Scope = .ordinary) -> Bool {
        guard isOpen(element), let place = place(in: scope, { $0 == element }) else { return false }
        pop(through: place)
        return true
    }

    mutating func closeParagraph() {
        close(.p, in: .button)
    }

    /// Closes the item that a new one of the same list ends (`li`; `dd` and `dt`).
    mutating func closeItem(_ isItem: (HTMLElement) -> Bool) {
        for place in open.indices.reversed() {
            guard let element = element(open[place]) else {
                if holdsHTML(open[place]) { return }
                continue
            }
            if isItem(element) { return pop(through: place) }
            if element.isSpecial, element != .address, element != .div, element != .p { return }
        }
    }

    /// Ends the head and begins the body, with the tag if there is one.
    mutating func enterBody() {
        pop(through: 1)
        body = insertImplied(.body)
    }
}
