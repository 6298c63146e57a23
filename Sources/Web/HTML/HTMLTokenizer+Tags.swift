/// Tags and their attributes: sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40.
extension HTMLTokenizer {
    mutating func startTag(_ name: Int) -> Kind? {
        guard tag(name) else { return nil }
        element = elementNames.find(nameKey)
        if followsElements { enterElement() }
        return .startTag
    }

    mutating func endTag(_ name: Int) -> Kind? {
        guard tag(name) else { return nil }
        element = elementNames.find(nameKey)
        if !attributes.isEmpty {
            fail(.endTagWithAttributes, position)
            attributes.removeAll(keepingCapacity: true)
        }
        if isSelfClosing { fail(.endTagWithTrailingSolidus, position) }
        if followsElements, foreign.isFollowing { foreign.close(element) }
        return .endTag
    }

    /// Reads a tag from its name to behind its `>`; false if the document ends first, which
    /// leaves nothing of it.
    private mutating func tag(_ name: Int) -> Bool {
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        isSelfClosing = false
        let nameEnd = endOfName(from: name, ByteMask.tagName)
        nameRange = name..<nameEnd
        nameKey = NameKey(source, name, nameEnd)
        if collectsErrors { checkNUL(nameRange) }
        guard let close = scanAttributes(from: nameEnd) else {
            fail(.eofInTag, end)
            position = end
            return false
        }
        position = close
        return true
    }

    @inline(__always)
    private func endOfName(from start: Int, _ terminators: UInt64) -> Int {
        var index = start
        while index < end, !ByteMask.contains(terminators, source[index]) { index &+= 1 }
        return index
    }

    /// Returns the place behind the `>`.
    private mutating func scanAttributes(from start: Int) -> Int? {
        var index = start
        while true {
            while index < end, source[index].isASCIIWhitespace { index &+= 1 }
            guard index < end else { return nil }
            switch source[index] {
            case UInt8(ascii: ">"):
                return index + 1
            case UInt8(ascii: "/"):
                guard index + 1 < end else { return nil }
                if source[index + 1] == UInt8(ascii: ">") {
                    isSelfClosing = true
                    return index + 2
                }
                fail(.unexpectedSolidusInTag, index + 1)
                index += 1
            default:
                guard let next = scanAttribute(from: index) else { return nil }
                index = next
            }
        }
    }

    private mutating func scanAttribute(from start: Int) -> Int? {
        if source[start] == UInt8(ascii: "=") {
            fail(.unexpectedEqualsSignBeforeAttributeName, start)
        }
        let isOdd = source[start] == UInt8(ascii: "=")
        var index = endOfName(from: start + (isOdd ? 1 : 0), ByteMask.attributeName)
        let name = start..<index
        let key = NameKey(source, start, index)
        if collectsErrors { checkAttributeName(name) }
        let isDuplicate = isDuplicate(name, key)
        if isDuplicate { fail(.duplicateAttribute, index) }
        while index < end, source[index].isASCIIWhitespace { index &+= 1 }
        guard index < end else { return nil }
        var value = index..<index
        if source[index] == UInt8(ascii: "=") {
            guard let (range, next) = scanValue(from: index + 1) else { return nil }
            value = range
            index = next
            if collectsErrors { checkText(value, inAttribute: true) }
        }
        if !isDuplicate { add(name, key, value) }
        return index
    }

    /// "Before attribute value state" and those after it: the value, and the place behind it.
    private mutating func scanValue(from start: Int) -> (Range<Int>, Int)? {
        var index = start
        while index < end, source[index].isASCIIWhitespace { index &+= 1 }
        guard index < end else { return nil }
        let quote = source[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let close = source.find(quote, from: index + 1, to: end) else { return nil }
            if collectsErrors { checkAfterValue(close + 1) }
            return (index + 1..<close, close + 1)
        }
        if quote == UInt8(ascii: ">") {
            fail(.missingAttributeValue, index)
            return (index..<index, index)
        }
        let first = index
        while index < end, !ByteMask.contains(ByteMask.unquoted, source[index]) { index &+= 1 }
        guard index < end else { return nil }
        if collectsErrors { checkUnquoted(first..<index) }
        return (first..<index, index)
    }

    private mutating func add(_ name: Range<Int>, _ key: NameKey, _ value: Range<Int>) {
        if value.count > limits.maxAttributeBytes {
            excess.insert(.attributeBytes)
        } else if attributes.count >= limits.maxAttributes {
            excess.insert(.attributes)
        } else {
            attributes.append(
                HTMLAttribute(
                    name: attributeNames.find(key), nameRange: name, valueRange: value,
                    key: key))
        }
    }

    /// Compares with all before it: their number is limited.
    @inline(__always)
    private func isDuplicate(_ name: Range<Int>, _ key: NameKey) -> Bool {
        if attributes.isEmpty || attributes.count >= limits.maxAttributes { return false }
        for other in attributes where other.key == key && other.nameRange.count == name.count {
            if key.count > 0, key.count <= NameKey.maxCount { return true }
            if zip(name, other.nameRange).allSatisfy({
                source[$0].asciiLowercased == source[$1].asciiLowercased
            }) {
                return true
            }
        }
        return false
    }

    // MARK: What an element contains

    /// What a tree builder would tell the tokenizer, as far as one tag lets see.
    private mutating func enterElement() {
        isForeign = false
        if foreign.isFollowing || element == .svg || element == .math {
            isForeign = foreign.open(element, isSelfClosing: isSelfClosing, limits.maxDepth)
            if foreign.isTooDeep { excess.insert(.depth) }
            if isForeign { return }
        }
        switch element {
        case .title, .textarea: enterRawText(.rcdata)
        case .style, .xmp, .iframe, .noembed, .noframes: enterRawText(.rawtext)
        case .script: enterRawText(.script)
        case .plaintext: content = .plaintext
        default: break
        }
    }

    private mutating func enterRawText(_ kind: Content) {
        content = kind
        rawTextName.removeAll(keepingCapacity: true)
        for index in nameRange { rawTextName.append(source[index].asciiLowercased) }
    }
}

/// Sets of bytes below 64, one bit each: all that ends a name or a value is among them.
enum ByteMask {
    private static let space: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x0C | 1 << 0x0D | 1 << 0x20
    /// White space, `/`, `>`.
    static let tagName = space | 1 << 0x2F | 1 << 0x3E
    /// White space, `/`, `=`, `>`.
    static let attributeName = tagName | 1 << 0x3D
    /// White space, `>`.
    static let unquoted = space | 1 << 0x3E

    @inline(__always)
    static func contains(_ mask: UInt64, _ byte: UInt8) -> Bool {
        byte < 64 && mask &>> UInt64(byte) & 1 != 0
    }
}
