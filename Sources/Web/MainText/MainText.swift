/// The text that a page is about, without what stands around it.
///
/// In four steps, each a loop over the nodes or the blocks of the page:
/// - `TextMeasure`, `ParagraphWeights`: what each element holds. As in Readability, a paragraph
///   counts for its length and its commas, and less where much of it is link.
/// - `ContentRules`: what is left out by its element, role, class or id, unless it holds too much.
/// - `MainElement`: where the text is, and inside of that what is named as the text.
/// - `BlockRules`: which of its blocks aren't text, by what they hold and where they stand.
///
/// Deterministic, without recursion, linear in the nodes. Where little is left, `MainTextSearch`
/// looks again by looser rules, so that forums, manuals and lists have a text, too.
/// How well it does on public sets of pages: docs/decisions/main-text.md.
public struct MainText: Sendable, Hashable {
    /// Paragraphs, with an empty line between them; white space collapsed but for `pre`.
    public var text: String
    /// Runs of letters and digits; in scripts without spaces each character.
    public var wordCount: Int
    /// The start of the first paragraph that says something, cut off at a word.
    public var excerpt: String
    /// The first image inside of the text, as its `src` is written.
    public var image: String?
    /// Where the element begins that holds the text.
    public var position: SourcePosition

    /// - Parameter maxBytes: where the text is cut off, between paragraphs.
    public init(_ tree: HTMLTree, maxBytes: Int = 4 << 20) {
        let found = MainTextSearch(tree, maxBytes: maxBytes).found()
        text = found.paragraphs.joined(separator: "\n\n")
        image = found.image
        wordCount = WordCount.count(text)
        excerpt = MainText.excerpt(found.paragraphs)
        position = tree.position(of: found.root)
    }

    private static func excerpt(_ paragraphs: [String]) -> String {
        let telling = paragraphs.first { $0.utf8.count >= 80 } ?? paragraphs.first ?? ""
        let limit = 300
        if telling.utf8.count <= limit { return telling }
        var cut = HTMLText.collapsing(Array(telling.utf8), limit: limit)
        if let space = cut.lastIndex(of: " ") { cut = String(cut[..<space]) }
        return cut + "…"
    }
}

/// How words are counted: runs of letters and digits; in scripts without spaces each character.
public enum WordCount {
    public static func count(_ text: String) -> Int {
        var count = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if isIdeograph(scalar) {
                count += 1
                isInWord = false
                continue
            }
            let isPart =
                scalar.isASCII
                ? UInt8(scalar.value).isASCIIAlphanumeric || isInWord && scalar == "'"
                : scalar.properties.isAlphabetic || scalar.isMark || scalar == "\u{2019}"
            if isPart, !isInWord { count += 1 }
            isInWord = isPart
        }
        return count
    }

    /// Han, Hiragana, Katakana, Thai: written without spaces.
    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0E2F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
