/// Text in which only one end tag is markup: sections 13.2.5.9 to 13.2.5.31, and CDATA.
extension HTMLTokenizer {
    mutating func rawText() -> Kind? {
        if isBeforeEndTag {
            isBeforeEndTag = false
            content = .data
            return endTag(position + 2)
        }
        let stop = content == .script ? endOfScript() : endOfRawText()
        isBeforeEndTag = stop < end
        return text(to: stop)
    }

    private func endOfRawText() -> Int {
        var start = position
        while let open = source.find(UInt8(ascii: "<"), from: start, to: end) {
            if isEndTag(open) { return open }
            start = open + 1
        }
        return end
    }

    /// "Appropriate end tag token", with what must follow its name.
    private func isEndTag(_ open: Int) -> Bool {
        let name = open + 2
        let nameEnd = name + rawTextName.count
        guard !rawTextName.isEmpty, nameEnd < end, source[open + 1] == UInt8(ascii: "/"),
            ByteMask.contains(ByteMask.tagName, source[nameEnd])
        else { return false }
        for (index, byte) in rawTextName.enumerated() {
            if source[name + index].asciiLowercased != byte { return false }
        }
        return true
    }

    /// In a script, `<!--` hides a `<script>` and its end tag until `-->`.
    private enum Escape {
        case none, escaped, doubleEscaped
    }

    private mutating func endOfScript() -> Int {
        var escape = Escape.none
        var dashes = 0
        var index = position
        while index < end {
            switch source[index] {
            case UInt8(ascii: "<"):
                dashes = 0
                if escape != .doubleEscaped, isEndTag(index) { return index }
                if escape == .none, startsComment(index) {
                    escape = .escaped
                    dashes = 2
                    index += 4
                } else {
                    index = afterLessThan(index, &escape)
                }
            case UInt8(ascii: "-"):
                dashes += 1
                index += 1
            case UInt8(ascii: ">") where dashes >= 2:
                escape = .none
                dashes = 0
                index += 1
            case _ where escape == .none:
                dashes = 0
                index = source.find(UInt8(ascii: "<"), from: index, to: end) ?? end
            default:
                dashes = 0
                index += 1
            }
            if escape == .none { dashes = 0 }
        }
        if escape != .none { fail(.eofInScriptHTMLCommentLikeText, end) }
        return end
    }

    private func startsComment(_ open: Int) -> Bool {
        source.slice(open..<min(open + 4, end)).elementsEqual("<!--".utf8)
    }

    /// "Script data double escape start state" and its counterpart: whether a tag with the
    /// name `script` begins or ends here. Returns the place to go on.
    private func afterLessThan(_ open: Int, _ escape: inout Escape) -> Int {
        let isClosing = open + 1 < end && source[open + 1] == UInt8(ascii: "/")
        guard escape != .none, isClosing == (escape == .doubleEscaped) else { return open + 1 }
        let name = open + (isClosing ? 2 : 1)
        var index = name
        while index < end, source[index].isASCIIAlpha { index += 1 }
        if index < end, ByteMask.contains(ByteMask.tagName, source[index]) {
            if source.slice(name..<index).equalsIgnoringCase("script") {
                escape = isClosing ? .escaped : .doubleEscaped
            }
            return index + 1
        }
        return index
    }

    mutating func cdata() -> Kind? {
        defer { content = .data }
        var start = position
        while let bracket = source.find(UInt8(ascii: "]"), from: start, to: end) {
            if source.slice(bracket..<min(bracket + 3, end)).elementsEqual("]]>".utf8) {
                let kind = text(to: bracket)
                position = bracket + 3
                return kind
            }
            start = bracket + 1
        }
        fail(.eofInCDATA, end)
        return text(to: end)
    }
}
