/// What a box is called, by the words of its class and id.
///
/// Pages tell their parts apart by names, and the names are alike everywhere: themes of WordPress,
/// Drupal, TYPO3 and Blogger say `comments`, `related`, `share`. A name is a hint, never a proof:
/// `ContentRules` says how much of a page a box may hold and still be left out for its name.
struct BoxName: OptionSet {
    let rawValue: UInt16

    /// The text itself: `entry-content`, `article__body`.
    static let body = BoxName(rawValue: 1)
    /// A word that content likes to have.
    static let content = BoxName(rawValue: 1 << 1)
    static let comments = BoxName(rawValue: 1 << 2)
    /// Other pages that might please.
    static let related = BoxName(rawValue: 1 << 3)
    /// Menus, sharing, advertising, newsletters, notices: beside the text or over it.
    static let beside = BoxName(rawValue: 1 << 4)
    /// Dates, tags, the author: a few lines about the text.
    static let about = BoxName(rawValue: 1 << 5)
    /// What stands below a picture.
    static let caption = BoxName(rawValue: 1 << 6)
    // Halves of `body`: whose, and which part.
    static let owner = BoxName(rawValue: 1 << 7)
    static let part = BoxName(rawValue: 1 << 8)
    /// A few lines of another page, if they lead there.
    static let teaser = BoxName(rawValue: 1 << 10)
    /// A first word after which a class tells of something else: `has-sidebar`, `tag-comments`.
    static let other = BoxName(rawValue: 1 << 9)

    static let all = BoxName(rawValue: .max)
    static let unmistakable: BoxName = [.comments, .related, .caption, .about]

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(of node: HTMLTree.Node, _ tree: HTMLTree) {
        var name: BoxName = []
        let range = tree[node].attributes
        for index in Int(range.lowerBound)..<Int(range.upperBound) {
            let attribute = tree.attributes[index]
            guard attribute.name == .class || attribute.name == .id else { continue }
            tree.source.withUnsafeBufferPointer { source in
                // Of very long ones the start.
                name.formUnion(BoxName(source, attribute.valueRange.prefix(256)))
            }
        }
        self = name
    }

    /// - Parameter range: names, with white space between them.
    init(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        var all: BoxName = []
        var start = range.lowerBound
        for index in range.lowerBound...range.upperBound
        where index == range.upperBound || source[index].isASCIIWhitespace {
            if index > start { all.formUnion(BoxName(one: source, start..<index)) }
            start = index + 1
        }
        self = all
    }

    /// Of one name. Its words end at what is neither letter nor digit, and before a capital that
    /// follows a small letter.
    private init(one source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        var name: BoxName = []
        var start = range.lowerBound
        var isFirst = true
        var wasSmall = false
        for index in range.lowerBound...range.upperBound {
            let isPart = index < range.upperBound && source[index].isASCIIAlphanumeric
            let isCapital = isPart && source[index] &- UInt8(ascii: "A") < 26
            if !isPart || isCapital && wasSmall {
                if index > start {
                    let word = BoxWords.find(NameKey(source, start, index))
                    if isFirst, word.contains(.other) { break }
                    name.formUnion(word)
                    isFirst = false
                }
                start = isPart ? index : index + 1
            }
            wasSmall = isPart && !isCapital
        }
        if name.isSuperset(of: [.owner, .part]) { name.formUnion(.body) }
        if !name.isDisjoint(with: [.owner, .part]) { name.formUnion(.content) }
        self = name
    }
}
