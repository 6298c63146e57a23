/// What a text has to be before anybody parses it, and how it is shown.
enum YAMLText {
    static let noAliases =
        "anchors (&) and aliases (*) aren't read; put a text that begins with one in quotes"

    /// UTF-8 without control characters: so that no parser stops at a NUL, and messages have one
    /// line.
    static func check(_ bytes: [UInt8]) throws(YAMLError) {
        guard bytes.count <= YAMLReader.mostBytes else {
            throw YAMLError(
                YAMLPlace(line: 1, column: 1), "more than \(YAMLReader.mostBytes >> 10) KiB")
        }
        if let index = firstControl(bytes) {
            let code = String(bytes[index], radix: 16, uppercase: true)
            let padded = String(repeating: "0", count: 2 - code.count) + code
            throw YAMLError(
                place(of: index, in: bytes), "a control character (0x\(padded)); give a text file")
        }
        guard let index = firstInvalid(bytes) else { return }
        throw YAMLError(place(of: index, in: bytes), "no UTF-8; save the file as UTF-8")
    }

    private static func firstControl(_ bytes: [UInt8]) -> Int? {
        bytes.firstIndex { $0 == 0x7F || $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// Where the first byte stands that belongs to no character.
    private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        // The longest beginning that is UTF-8, by halves.
        var (low, high) = (0, bytes.count)
        while low < high {
            let middle = (low + high + 1) / 2
            var end = middle
            // A character that goes on behind the middle belongs to neither half.
            while end < bytes.count, end - middle < 3, bytes[end] & 0xC0 == 0x80 { end += 1 }
            if String(validating: bytes[..<end], as: UTF8.self) != nil {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return min(low, bytes.count - 1)
    }

    static func place(of index: Int, in bytes: [UInt8]) -> YAMLPlace {
        let before = bytes[..<min(index, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        return YAMLPlace(line: line, column: column)
    }

    static func isTab(at place: YAMLPlace, in bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard place.line <= lines.count else { return false }
        return String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
            .dropFirst(place.column - 1).first == "\t"
    }

    static func short(_ text: String) -> String {
        text.count > 60 ? text.prefix(60) + "…" : text
    }
}
