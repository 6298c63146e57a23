/// Text as passages are compared: without case and marks on letters, white space folded.
struct FoldedText {
    /// The end of a block of text, over which no single term reaches.
    static let blockEnd: UInt32 = 0
    static let space: UInt32 = 0x20

    private(set) var scalars: [UInt32] = []

    mutating func append(_ text: some Sequence<Unicode.Scalar>) {
        for scalar in text { append(scalar) }
    }

    mutating func endBlock() {
        if scalars.last == Self.space { scalars.removeLast() }
        if let last = scalars.last, last != Self.blockEnd { scalars.append(Self.blockEnd) }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            let value = scalar.value
            if value <= 0x20 || value == 0x7F { return appendSpace() }
            return scalars.append((0x41...0x5A).contains(value) ? value | 0x20 : value)
        }
        let properties = scalar.properties
        if properties.isWhitespace { return appendSpace() }
        // A soft hyphen and its like are nothing to look for; a mark belongs to its letter.
        if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .nonspacingMark {
            return
        }
        for lower in properties.lowercaseMapping.unicodeScalars {
            if let base = Self.bases[lower.value] {
                scalars.append(base)
            } else if lower.properties.generalCategory != .nonspacingMark {
                scalars.append(lower.value)
            }
        }
    }

    private mutating func appendSpace() {
        if let last = scalars.last, last != Self.space, last != Self.blockEnd {
            scalars.append(Self.space)
        }
    }

    /// Letters of Latin, Greek and Cyrillic that are one character with their marks.
    private static let bases: [UInt32: UInt32] = {
        let letters: [(Unicode.Scalar, String)] = [
            ("a", "àáâãäåāăąǎ"), ("c", "çćĉċč"), ("d", "ď"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
            ("h", "ĥ"), ("i", "ìíîïĩīĭįǐ"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľ"), ("n", "ñńņňǹ"),
            ("o", "òóôõöōŏőǒ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťț"), ("u", "ùúûüũūŭůűųǔ"),
            ("w", "ŵẁẃẅ"), ("y", "ýÿŷỳ"), ("z", "źżž"), ("α", "ά"), ("ε", "έ"), ("η", "ή"),
            ("ι", "ίϊΐ"), ("ο", "ό"), ("υ", "ύϋΰ"), ("ω", "ώ"), ("и", "й"), ("е", "ёѐ"),
        ]
        var bases: [UInt32: UInt32] = [:]
        for (base, marked) in letters {
            for scalar in marked.unicodeScalars { bases[scalar.value] = base.value }
        }
        return bases
    }()
}

extension FoldedText {
    init(term: String) {
        append(term.unicodeScalars)
        if scalars.last == Self.space { scalars.removeLast() }
    }

    /// Whether a word may begin or end before a place: where letters that are written without
    /// spaces meet, always.
    func isWordBoundary(_ index: Int) -> Bool {
        guard index > 0, index < scalars.count else { return true }
        return !(Self.isOfWord(scalars[index - 1]) && Self.isOfWord(scalars[index]))
    }

    private static func isOfWord(_ value: UInt32) -> Bool {
        if value < 0x80 {
            return (0x61...0x7A).contains(value) || (0x30...0x39).contains(value) || value == 0x5F
        }
        // Thai to Khmer, kana and ideographs, and what else has no spaces between its words.
        if (0x0E00...0x0EFF).contains(value) || (0x1000...0x109F).contains(value)
            || (0x1780...0x17FF).contains(value) || (0x2E80...0xA4CF).contains(value)
            || (0xF900...0xFAFF).contains(value) || (0x20000...0x3FFFF).contains(value)
        {
            return false
        }
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        return properties.isAlphabetic || properties.numericType != nil
    }
}
