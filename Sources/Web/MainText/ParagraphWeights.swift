/// How much text each element of a tree holds, and how much of it looks like paragraphs.
///
/// Parents have smaller numbers than their children, so that each pass is a loop over the numbers:
/// forwards for what comes down from ancestors, backwards for what adds up.
struct ParagraphWeights {
    let tree: HTMLTree
    /// Navigation and the like, and all that is inside.
    private(set) var isExcluded: [Bool]
    /// Characters that are not white space, in the element and in links inside of it.
    private(set) var textLength: [Int32]
    private(set) var linkLength: [Int32]
    /// The weight of all paragraphs inside.
    private(set) var total: [Float]
    /// The same, the less the further away they are.
    private var near: [Float]

    private static let minParagraph: Int32 = 25
    private static let levels = 5

    init(_ tree: HTMLTree) {
        self.tree = tree
        let count = tree.nodeCount
        isExcluded = Array(repeating: false, count: count)
        textLength = Array(repeating: 0, count: count)
        linkLength = Array(repeating: 0, count: count)
        total = Array(repeating: 0, count: count)
        near = Array(repeating: 0, count: count)
        weigh()
    }

    private mutating func weigh() {
        let count = tree.nodeCount
        var isInLink = Array(repeating: false, count: count)
        var block = Array(repeating: Int32(0), count: count)
        var own = Array(repeating: Int32(0), count: count)
        var ownLinks = own
        var commas = own
        for index in 1..<max(1, count) {
            let record = tree.records[index]
            guard record.parent != HTMLTree.none else { continue }
            let parent = Int(record.parent)
            isExcluded[index] = isExcluded[parent]
            isInLink[index] = isInLink[parent] || record.element == .a
            block[index] = block[parent]
            if record.isText {
                if isExcluded[index] || record.textContent == .script { continue }
                let (length, comma) = measure(record)
                textLength[index] = length
                if isInLink[index] {
                    linkLength[index] = length
                    ownLinks[Int(block[index])] += length
                }
                own[Int(block[index])] += length
                commas[Int(block[index])] += comma
            } else {
                let node = HTMLTree.Node(index: Int32(index))
                if ContentRules.isExcluded(node, tree) { isExcluded[index] = true }
                if record.element?.isBlock == true { block[index] = Int32(index) }
            }
        }
        for index in own.indices where own[index] >= ParagraphWeights.minParagraph {
            let share = 1 - Float(ownLinks[index]) / Float(own[index])
            add((1 + Float(commas[index]) + min(Float(own[index]) / 100, 3)) * share, to: index)
        }
        sumUp()
    }

    private mutating func add(_ weight: Float, to index: Int) {
        total[index] += weight
        var ancestor = tree.records[index].parent
        var divisor: Float = 1
        for _ in 0..<ParagraphWeights.levels where ancestor != HTMLTree.none {
            near[Int(ancestor)] += weight / divisor
            divisor = divisor == 1 ? 2 : divisor * 1.5
            ancestor = tree.records[Int(ancestor)].parent
        }
    }

    private mutating func sumUp() {
        for index in tree.records.indices.reversed() where index > 0 {
            let parent = Int(tree.records[index].parent)
            guard parent >= 0 else { continue }
            textLength[parent] += textLength[index]
            linkLength[parent] += linkLength[index]
            total[parent] += total[index]
        }
    }

    /// Characters that are not white space, and commas in the scripts that have them.
    private func measure(_ record: HTMLTree.Record) -> (Int32, Int32) {
        var length: Int32 = 0
        var commas: Int32 = 0
        let range = Int(record.content.lowerBound)..<Int(record.content.upperBound)
        for index in range {
            let byte = tree.source[index]
            if byte & 0xC0 != 0x80, !byte.isASCIIWhitespace { length += 1 }
            if byte == UInt8(ascii: ",") { commas += 1 }
            // U+3001 and U+FF0C.
            if byte == 0xE3 || byte == 0xEF, index + 2 < range.upperBound {
                let next = (tree.source[index + 1], tree.source[index + 2])
                if next == (0x80, 0x81) || next == (0xBC, 0x8C) { commas += 1 }
            }
        }
        return (length, commas)
    }

    func linkShare(_ node: HTMLTree.Node) -> Float {
        let index = Int(node.index)
        return textLength[index] == 0 ? 0 : Float(linkLength[index]) / Float(textLength[index])
    }

    // MARK: Choosing

    func mainElement() -> HTMLTree.Node {
        let body = Int(tree.body.index)
        var best = semanticElement() ?? body
        if best == body {
            var weight: Float = 0
            for index in near.indices where index > body && !isExcluded[index] {
                let node = HTMLTree.Node(index: Int32(index))
                let found = near[index] * (1 - linkShare(node)) * ContentRules.factor(node, tree)
                if found > weight { (best, weight) = (index, found) }
            }
            best = widened(best)
        }
        return HTMLTree.Node(index: Int32(best))
    }

    /// `article`, `main` and their like, if half of the paragraphs are in one of them.
    private func semanticElement() -> Int? {
        var best: Int?
        for index in near.indices where !isExcluded[index] && total[index] > 0 {
            guard ContentRules.isMain(HTMLTree.Node(index: Int32(index)), tree) else { continue }
            // Of one inside of another, the inner one, if nearly all is there.
            let least = best.map { total[$0] * 0.8 } ?? total[Int(tree.body.index)] * 0.5
            if total[index] >= least { best = index }
        }
        return best
    }

    private func widened(_ start: Int) -> Int {
        var best = start
        var ancestor = Int(tree.records[start].parent)
        while ancestor > 0, ancestor != Int(tree.root.index) {
            let node = HTMLTree.Node(index: Int32(ancestor))
            if total[ancestor] >= total[best] * 1.15, linkShare(node) < 0.35 { best = ancestor }
            ancestor = Int(tree.records[ancestor].parent)
        }
        return best
    }
}
