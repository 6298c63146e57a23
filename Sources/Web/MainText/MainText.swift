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
public struct WordCount {
    public static func count(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var words = WordCount(bytes)
            return words.count()
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var isInWord = false
    private var found = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// ASCII is read by its bytes: nearly all of most texts, and scalars cost several times as
    /// much.
    private mutating func count() -> Int {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                let isPart = byte.isASCIIAlphanumeric || isInWord && byte == UInt8(ascii: "'")
                found &+= isPart && !isInWord ? 1 : 0
                isInWord = isPart
                index &+= 1
            } else {
                index = takeScalar(index)
            }
        }
        return found
    }

    /// - Returns: the place behind it.
    private mutating func takeScalar(_ start: Int) -> Int {
        let first = bytes[start]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        // A string's UTF-8 is whole.
        var code = UInt32(first) & (0xFF >> UInt32(length + 1))
        for index in start + 1..<start + length { code = code << 6 | UInt32(bytes[index] & 0x3F) }
        guard let scalar = Unicode.Scalar(code) else { return start + length }
        if Self.isIdeograph(scalar) {
            found += 1
            isInWord = false
        } else {
            let isPart =
                scalar.properties.isAlphabetic || scalar.isMark || scalar == "\u{2019}"
            if isPart, !isInWord { found += 1 }
            isInWord = isPart
        }
        return start + length
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
