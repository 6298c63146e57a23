/// What stands at the top level of a file, by its name.
struct Declaration {
    let name: String
    let isExtension: Bool
    let isPrivate: Bool
}

extension SourceFile {
    /// The types that the file declares or extends, but those inside of others.
    var declarations: [Declaration] {
        let pattern = #/\b(class|struct|enum|actor|protocol|typealias|extension)\s+\[?([A-Z]\w*)/#
        var depth = 0
        return (swift?.code ?? []).compactMap { line in
            defer { depth += line.braces }
            guard depth == 0, let found = line.firstMatch(of: pattern) else { return nil }
            return Declaration(
                name: String(found.2), isExtension: found.1 == "extension",
                isPrivate: line[..<found.range.lowerBound].contains("private"))
        }
    }

    /// The words of its code that may be names of types.
    var capitalised: Set<String> {
        let words = (swift?.code ?? []).lazy.flatMap { line in
            line.utf8.split { byte in !byte.isLetter && !byte.isDigit }
        }
        return Set(words.filter { $0.first?.isCapital ?? false }.compactMap { String($0) })
    }

    /// The numbers, from 0, of the lines where a function begins that has more lines than these.
    func functions(over most: Int) -> [Int] {
        let code = swift?.code ?? []
        let pattern =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\([a-z]+\))?\s+)*(?:func\s|(?:de)?init\b)/#
        return code.indices.filter { start in
            guard code[start].contains(pattern) else { return false }
            var depth = 0
            var isOpen = false
            for (index, line) in code[start...].enumerated() {
                depth += line.braces
                isOpen = isOpen || line.contains("{")
                if isOpen, depth <= 0 { return index >= most }
            }
            return false
        }
    }
}

extension String {
    /// How many braces a line of code opens, less those it closes.
    fileprivate var braces: Int {
        utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    /// As a name has them.
    fileprivate var isLetter: Bool { (self | 0x20).isSmall || self == UInt8(ascii: "_") }
    private var isSmall: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
