/// Tables (sections 13.2.6.4.9 to 13.2.6.4.15).
extension HTMLTreeBuilder {
    /// A start tag that belongs to a table. Outside of one it means nothing.
    mutating func startTablePart(_ element: HTMLElement, _ tag: borrowing HTMLTokenizer) {
        guard isOpen(.table) || isOpen(.template),
            place(in: .table, { $0 == .table || $0 == .template }) != nil
        else { return }
        switch element {
        case .td, .th:
            clear { $0 == .tr || $0.isRowGroup || $0 == .table }
            if currentElement == .table { insertImplied(.tbody) }
            if currentElement?.isRowGroup == true { insertImplied(.tr) }
            push(tag)
        case .tr:
            clear { $0.isRowGroup || $0 == .table }
            if currentElement == .table { insertImplied(.tbody) }
            push(tag)
        case .col:
            if currentElement != .colgroup {
                clear { $0 == .table }
                if currentElement == .table { insertImplied(.colgroup) }
            }
            insertVoid(tag)
        default:
            clear { $0 == .table }
            push(tag)
        }
    }

    /// Closes what is open up to one of the elements that may hold the next part.
    private mutating func clear(to holds: (HTMLElement) -> Bool) {
        while open.count > 1 {
            if let element = currentElement, holds(element) || element == .template { return }
            pop()
        }
    }

    mutating func endTablePart(_ element: HTMLElement) {
        switch element {
        case .col: return
        case .td, .th, .caption: popImplied()
        default: break
        }
        close(element, in: .table)
    }

    /// A table in a table, but not in one of its cells, ends it.
    mutating func startTable(_ tag: borrowing HTMLTokenizer) {
        if currentElement?.holdsTableParts == true {
            close(.table, in: .table)
        } else {
            closeParagraph()
        }
        push(tag)
    }
}
