/// What stands behind `:~:` in a fragment and is for the browser: passages of text to look for
/// (URL Fragment Text Directives, section 3.3).
public struct TextDirective: Hashable, Sendable {
    public var prefix: String?
    public var start: String
    public var end: String?
    public var suffix: String?

    public static let mark = ":~:"
    /// In bytes, of one term: nobody quotes more.
    static let longestTerm = 4096

    public init(_ start: String, to end: String? = nil, after prefix: String? = nil) {
        (self.start, self.end, self.prefix) = (start, end, prefix)
    }

    /// The passages that a fragment asks for, `:~:text=a&text=b`; what else it says to a browser
    /// says nothing here.
    /// - Returns: nil where one of them can't be read: no browser looks for it.
    public static func all(in fragment: String) -> [TextDirective]? {
        guard let mark = fragment.firstRange(of: Self.mark) else { return [] }
        let parts = fragment[mark.upperBound...].split(separator: "&")
        let values = parts.filter { $0.hasPrefix("text=") }.map { $0.dropFirst(5) }
        let read = values.compactMap { TextDirective(value: $0) }
        return read.count == values.count ? read : nil
    }

    /// `prefix-,start,end,-suffix`, each percent-encoded.
    private init?(value: Substring) {
        var terms = value.split(separator: ",", omittingEmptySubsequences: false)
        var (before, after): (Substring?, Substring?)
        if let first = terms.first, first.hasSuffix("-") {
            before = terms.removeFirst().dropLast()
        }
        if let last = terms.last, last.hasPrefix("-") {
            after = terms.removeLast().dropFirst()
        }
        guard (1...2).contains(terms.count) else { return nil }
        let all = [before, terms[0], terms.count == 2 ? terms[1] : nil, after]
        let texts = all.map { $0.map(Self.decoded) }
        guard
            texts.allSatisfy({ $0.map { (1...Self.longestTerm).contains($0.utf8.count) } ?? true })
        else { return nil }
        prefix = texts[0]
        start = texts[1] ?? ""
        end = texts[2]
        suffix = texts[3]
    }

    private static func decoded(_ term: Substring) -> String {
        String(decoding: Percent.decode(term.utf8), as: UTF8.self)
    }
}
