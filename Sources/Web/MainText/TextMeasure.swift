/// How long the texts of a tree are, and which paragraph each is a part of.
///
/// Parents have smaller numbers than their children, so that each pass is a loop over the numbers:
/// forwards for what comes down from ancestors, backwards for what adds up.
struct TextMeasure {
    struct Place: OptionSet {
        let rawValue: UInt8
        static let link = Place(rawValue: 1)
        static let emphasis = Place(rawValue: 1 << 1)
        /// Inside of what is never text.
        static let unread = Place(rawValue: 1 << 2)
    }

    let tree: HTMLTree
    /// Of texts: characters that are not white space, and commas. Of elements: nothing.
    private(set) var length: [Int32]
    private(set) var commas: [Int32]
    private(set) var places: [Place]
    /// The nearest element around it that begins a line of its own.
    private(set) var block: [Int32]
    /// All characters inside of each node, and the weight of all paragraphs.
    private(set) var allLength: [Int32] = []
    private(set) var allLinks: [Int32]
    private(set) var allWeight: [Float] = []

    init(_ tree: HTMLTree) {
        self.tree = tree
        let count = tree.nodeCount
        length = Array(repeating: 0, count: count)
        commas = length
        block = length
        allLinks = length
        places = Array(repeating: [], count: count)
        for index in 1..<max(1, count) { place(index) }
        var texts = ParagraphSums(count: count)
        for index in tree.records.indices where length[index] > 0 { texts.add(index, self) }
        allLength = length
        allWeight = texts.weights()
        for index in tree.records.indices.reversed() where index > 0 {
            let parent = Int(tree.records[index].parent)
            guard parent >= 0 else { continue }
            allLength[parent] += allLength[index]
            allLinks[parent] += allLinks[index]
            allWeight[parent] += allWeight[index]
        }
    }

    /// How much of the page's paragraphs is in an element; without any, how much of its text.
    func share(_ index: Int) -> Float {
        let body = Int(tree.body.index)
        if allWeight[body] > 0 { return allWeight[index] / allWeight[body] }
        return allLength[body] > 0 ? Float(allLength[index]) / Float(allLength[body]) : 0
    }

    /// No rule finds a paragraph there.
    var isNothingButLinks: Bool {
        allLinks[Int(tree.body.index)] == allLength[Int(tree.body.index)]
    }

    /// How much of an element's text is link.
    func linkShare(_ index: Int) -> Float {
        allLength[index] > 0 ? Float(allLinks[index]) / Float(allLength[index]) : 0
    }

    private mutating func place(_ index: Int) {
        let record = tree.records[index]
        guard record.parent != HTMLTree.none else { return }
        let parent = Int(record.parent)
        places[index] = places[parent]
        block[index] = block[parent]
        if record.isText {
            if places[index].contains(.unread) || record.textContent == .script { return }
            measure(record, index)
            return
        }
        switch record.element {
        case .a: places[index].insert(.link)
        case .b, .strong, .em, .i: places[index].insert(.emphasis)
        case .some(let element):
            if element.isUnread { places[index].insert(.unread) }
            if element.isBlock { block[index] = Int32(index) }
        case nil: break
        }
    }

    /// Characters that are not white space, and commas in the scripts that have them.
    private mutating func measure(_ record: HTMLTree.Record, _ index: Int) {
        var characters: Int32 = 0
        var found: Int32 = 0
        let range = Int(record.content.lowerBound)..<Int(record.content.upperBound)
        tree.source.withUnsafeBufferPointer { source in
            for index in range {
                let byte = source[index]
                if byte & 0xC0 != 0x80, !byte.isASCIIWhitespace { characters += 1 }
                if byte == UInt8(ascii: ",") { found += 1 }
                // U+3001 and U+FF0C.
                if byte == 0xE3 || byte == 0xEF, index + 2 < range.upperBound {
                    let next = (source[index + 1], source[index + 2])
                    if next == (0x80, 0x81) || next == (0xBC, 0x8C) { found += 1 }
                }
            }
        }
        length[index] = characters
        commas[index] = found
        if places[index].contains(.link) { allLinks[index] = characters }
    }
}

/// What is in each paragraph: the texts that add up to it.
struct ParagraphSums {
    private var length: [Int32]
    private var links: [Int32]
    private var commas: [Int32]

    private static let least: Int32 = 25

    init(count: Int) {
        length = Array(repeating: 0, count: count)
        links = length
        commas = length
    }

    mutating func add(_ text: Int, _ measure: TextMeasure) {
        let block = Int(measure.block[text])
        length[block] += measure.length[text]
        commas[block] += measure.commas[text]
        if measure.places[text].contains(.link) { links[block] += measure.length[text] }
    }

    /// A paragraph counts for its length and its commas, and less where much of it is link.
    func weights() -> [Float] {
        length.indices.map { index in
            guard length[index] >= ParagraphSums.least else { return 0 }
            let share = 1 - Float(links[index]) / Float(length[index])
            return (1 + Float(commas[index]) + min(Float(length[index]) / 100, 3)) * share
        }
    }
}

extension HTMLElement {
    /// What holds no text that is read.
    var isUnread: Bool {
        switch self {
        case .script, .style, .template, .button, .select, .iframe, .svg, .math, .object, .embed,
            .textarea, .dialog, .title, .rt, .rp:
            true
        default: false
        }
    }
}
