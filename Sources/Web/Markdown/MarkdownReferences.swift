// docs/decisions/markdown.md

/// Everything in a document in Markdown, as GitHub reads it, that refers to something or can be
/// referred to.
public struct MarkdownReferences: Sendable {
    /// In the order of the document.
    public internal(set) var references: [Reference] = []
    /// The names that headings get, and those that HTML in it has, in the order of the document.
    public internal(set) var anchors: [Anchor] = []
    /// Whether all of it was read.
    public internal(set) var isComplete = true

    /// Takes time that may grow with the square of the size, for documents that are made for it:
    /// not for those of strangers.
    ///
    /// Of one with more than 1 MiB, quotations in quotations a hundred deep, or a thousand cells in
    /// a line, nothing is read.
    /// - Parameter bytes: in UTF-8; a mark of its byte order is passed over.
    public static func scan(
        _ bytes: [UInt8], documentURL: WebURL, limits: HTMLLimits = HTMLLimits()
    ) -> MarkdownReferences {
        var source = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard MarkdownBounds.hold(source) else {
            var nothing = MarkdownReferences()
            nothing.isComplete = false
            return nothing
        }
        MarkdownBounds.blankFrontMatter(in: &source)
        var scanner = MarkdownScanner(source, documentURL, limits)
        scanner.run()
        return scanner.result
    }
}

/// What is looked at before the parser is.
enum MarkdownBounds {
    private static let mostBytes = 1 << 20
    private static let mostQuotes = 100
    private static let mostCells = 1000

    static func hold(_ source: [UInt8]) -> Bool {
        guard source.count <= mostBytes else { return false }
        return source.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            let marks = line.prefix { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: " ") }
            return marks.count { $0 == UInt8(ascii: ">") } < mostQuotes
                && line.count { $0 == UInt8(ascii: "|") } < mostCells
        }
    }

    /// What a site's generator is told before the text begins. Lines stay where they are.
    static func blankFrontMatter(in source: inout [UInt8]) {
        let mark = Array("---\n".utf8)
        guard source.starts(with: mark) else { return }
        var start = mark.count
        while start < source.count {
            let end = source[start...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
            let line = source[start..<end]
            if line.elementsEqual("---".utf8) || line.elementsEqual("...".utf8) {
                for index in 0..<end where source[index] != UInt8(ascii: "\n") {
                    source[index] = UInt8(ascii: " ")
                }
                return
            }
            start = end + 1
        }
    }
}
