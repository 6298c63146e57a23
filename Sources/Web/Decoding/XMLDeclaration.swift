/// The encoding that `<?xml version="1.0" encoding="…"?>` names (XML 1.0, section 4.3.3).
enum XMLDeclaration {
    private static let window = 256

    static func charset(_ body: [UInt8]) -> Charset? {
        let start = body.prefix(window)
        guard start.starts(with: "<?xml".utf8),
            let end = start.firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let declaration = start[..<end]
        let name = declaration.indices.first {
            declaration[$0...].starts(with: "encoding".utf8)
        }
        guard let name else { return nil }
        var rest = declaration[(name + 8)...].drop(while: \.isASCIIWhitespace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop(while: \.isASCIIWhitespace)
        guard let quote = rest.popFirst(), quote == 0x22 || quote == 0x27 else { return nil }
        let label = String(decoding: rest.prefix { $0 != quote }, as: UTF8.self)
        // What could be read as ASCII so far is not UTF-16.
        return Charset(label: label).map { $0.name.hasPrefix("utf-16") ? .utf8 : $0 }
    }
}
