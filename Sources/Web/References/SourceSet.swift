/// The candidates of a `srcset` attribute (HTML standard, "parse a srcset attribute").
enum SourceSet {
    /// The ranges of the URLs in `value`, without those whose descriptors make no sense.
    static func urlRanges(_ value: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while true {
            while index < value.count,
                value[index].isASCIIWhitespace || value[index] == UInt8(ascii: ",")
            { index += 1 }
            if index == value.count { return ranges }
            let start = index
            while index < value.count, !value[index].isASCIIWhitespace { index += 1 }
            var end = index
            while end > start, value[end - 1] == UInt8(ascii: ",") { end -= 1 }
            if end < index {
                ranges.append(start..<end)
            } else if descriptors(value, &index) {
                ranges.append(start..<end)
            }
        }
    }

    /// Reads the descriptors of a candidate up to its comma. Returns whether they are in order.
    private static func descriptors(_ value: [UInt8], _ index: inout Int) -> Bool {
        var found: [ArraySlice<UInt8>] = []
        var start: Int?
        var depth = false
        while index < value.count {
            let byte = value[index]
            if !depth, byte.isASCIIWhitespace || byte == UInt8(ascii: ",") {
                if let first = start { found.append(value[first..<index]) }
                start = nil
                index += 1
                if byte == UInt8(ascii: ",") { return areInOrder(found) }
                continue
            }
            if start == nil { start = index }
            if byte == UInt8(ascii: "(") { depth = true }
            if byte == UInt8(ascii: ")") { depth = false }
            index += 1
        }
        if let start { found.append(value[start...]) }
        return areInOrder(found)
    }

    private static func areInOrder(_ descriptors: [ArraySlice<UInt8>]) -> Bool {
        var (hasWidth, hasDensity, hasHeight) = (false, false, false)
        for descriptor in descriptors {
            let number = String(decoding: descriptor.dropLast(), as: UTF8.self)
            switch descriptor.last {
            case UInt8(ascii: "w"):
                guard !hasWidth, !hasDensity, isPositiveInteger(number) else { return false }
                hasWidth = true
            case UInt8(ascii: "x"):
                guard !hasWidth, !hasDensity, !hasHeight, isNumber(number) else { return false }
                hasDensity = true
            case UInt8(ascii: "h"):
                guard !hasHeight, !hasDensity, isPositiveInteger(number) else { return false }
                hasHeight = true
            default: return false
            }
        }
        return !hasHeight || hasWidth
    }

    private static func isPositiveInteger(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit) && text.contains { $0 != "0" }
    }

    /// A valid floating-point number that is not negative.
    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIIDigit || first == UInt8(ascii: ".") else {
            return text == "-0"
        }
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "eE+-.".utf8.contains($0) }
        return isDecimal && text.utf8.last != UInt8(ascii: ".") && Double(text) != nil
    }
}
