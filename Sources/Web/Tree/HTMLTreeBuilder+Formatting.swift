/// The list of active formatting elements (section 13.2.4.3).
extension HTMLTreeBuilder {
    /// Elements that are reopened at most: each costs a node wherever it is.
    static let maxFormatting = 32

    /// Takes note of an open formatting element. Of three that are alike, the first goes.
    mutating func noteFormatting(_ index: Int32) {
        guard index != HTMLTree.none else { return }
        let start = formatting.lastIndex { $0 == nil }.map { $0 + 1 } ?? 0
        let alike = formatting.indices[start...].filter { place in
            formatting[place].map { isAlike($0, index) } ?? false
        }
        if alike.count >= 3 { formatting.remove(at: alike[0]) }
        if formatting.count - start >= HTMLTreeBuilder.maxFormatting {
            formatting.remove(at: start)
        }
        formatting.append(index)
    }

    /// Of one name and without attributes: attributes are not compared by their values.
    private func isAlike(_ first: Int32, _ second: Int32) -> Bool {
        let (first, second) = (records[Int(first)], records[Int(second)])
        return first.element == second.element && first.attributes.isEmpty
            && second.attributes.isEmpty
    }

    mutating func clearFormattingToMarker() {
        while let last = formatting.popLast(), last != nil {}
    }

    /// Opens again what is noted and no longer open, from the last that still is.
    mutating func reconstructFormatting() {
        guard let last = formatting.last, let last, open.lastIndex(of: last) == nil else { return }
        var start = formatting.count - 1
        while start > 0, let before = formatting[start - 1], !open.contains(before) { start -= 1 }
        for place in start..<formatting.count {
            guard let original = formatting[place] else { continue }
            var copy = records[Int(original)]
            copy.start = tokenStart
            copy.end = tokenStart
            copy.firstChild = HTMLTree.none
            copy.lastChild = HTMLTree.none
            copy.next = HTMLTree.none
            copy.previous = HTMLTree.none
            let index = insert(copy, belongsInTable: false)
            if index == HTMLTree.none || open.count >= limits.maxDepth { return }
            appendOpen(index)
            formatting[place] = index
        }
    }

    /// The end tag of a formatting element. What was opened in it stays open if it is formatting
    /// too, by being reopened; if it is a block, the element stays around it.
    mutating func endFormatting(_ element: HTMLElement) {
        let noted = formatting.lastIndex { $0 == nil || self.element($0!) == element }
        guard let noted, let index = formatting[noted] else { return endOrdinary(element) }
        formatting.remove(at: noted)
        guard let place = open.lastIndex(of: index) else { return }
        guard self.place(in: .ordinary, { $0 == element }) != nil else { return }
        let hasBlock = open[(place + 1)...].contains { self.element($0)?.isSpecial == true }
        if !hasBlock { pop(through: place) }
    }

    /// A formatting element that can't be inside of its like: `a` and `nobr`.
    mutating func endOpen(_ element: HTMLElement) {
        let start = formatting.lastIndex { $0 == nil }.map { $0 + 1 } ?? 0
        let isNoted = formatting[start...].contains {
            $0.map { self.element($0) == element } ?? false
        }
        if isNoted { endFormatting(element) }
    }
}
