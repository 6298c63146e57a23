/// Comments and what is treated like one: sections 13.2.5.41 to 13.2.5.52.
extension HTMLTokenizer {
    /// "Markup declaration open state", behind `<!`.
    mutating func declaration(_ start: Int) -> Kind? {
        let rest = source.slice(start..<min(start + 7, end))
        if rest.starts(with: "--".utf8) { return comment(start + 2) }
        if rest.equalsIgnoringCase("doctype") { return doctype(start + 7) }
        if rest.elementsEqual("[CDATA[".utf8) {
            if foreign.isForeign || isXML {
                content = .cdata
                position = start + 7
                return nil
            }
            fail(.cdataInHTMLContent, start + 7)
        } else {
            fail(.incorrectlyOpenedComment, start)
        }
        return bogusComment(start)
    }

    /// A comment ends with `-->` or `--!>`, of which the dashes may be those that opened it.
    private mutating func comment(_ start: Int) -> Kind? {
        if collectsErrors { checkNested(start) }
        var from = start
        while let close = source.find(UInt8(ascii: ">"), from: from, to: end) {
            from = close + 1
            if close == start || close == start + 1 && source[start] == UInt8(ascii: "-") {
                fail(.abruptClosingOfEmptyComment, close)
                return finishComment(start..<start, close + 1)
            }
            if hasDashes(before: close, start) {
                return finishComment(start..<close - 2, close + 1)
            }
            if source[close - 1] == UInt8(ascii: "!"), hasDashes(before: close - 1, start) {
                fail(.incorrectlyClosedComment, close)
                return finishComment(start..<close - 3, close + 1)
            }
        }
        fail(.eofInComment, end)
        return finishComment(start..<endOfOpenComment(start), end)
    }

    private func hasDashes(before index: Int, _ start: Int) -> Bool {
        index - 2 >= start && source[index - 1] == UInt8(ascii: "-")
            && source[index - 2] == UInt8(ascii: "-")
    }

    /// Where the document ends inside a comment, what might have been its end is not part of it.
    private func endOfOpenComment(_ start: Int) -> Int {
        if end > start, source[end - 1] == UInt8(ascii: "!"), hasDashes(before: end - 1, start) {
            return end - 3
        }
        if hasDashes(before: end, start) { return end - 2 }
        return end > start && source[end - 1] == UInt8(ascii: "-") ? end - 1 : end
    }

    private mutating func finishComment(_ range: Range<Int>, _ next: Int) -> Kind {
        contents = range
        position = next
        if collectsErrors { checkNUL(range) }
        return .comment
    }

    mutating func bogusComment(_ start: Int) -> Kind {
        let close = source.find(UInt8(ascii: ">"), from: start, to: end)
        return finishComment(start..<(close ?? end), close.map { $0 + 1 } ?? end)
    }
}
