/// How much text each element of a tree holds, and how much of it looks like paragraphs, without
/// what stands around the text.
struct ParagraphWeights {
    let measure: TextMeasure
    let tree: HTMLTree
    /// Navigation and the like, and all that is inside.
    private(set) var isExcluded: [Bool]
    /// Characters that are not white space, in the element and in links inside of it.
    private(set) var textLength: [Int32]
    private(set) var linkLength: [Int32]
    /// The weight of all paragraphs inside.
    private(set) var total: [Float]
    /// The same, the less the further away they are.
    private(set) var near: [Float]

    private static let levels = 5

    /// - Parameter names: what boxes may be left out for.
    init(_ measure: TextMeasure, names: BoxName) {
        self.measure = measure
        tree = measure.tree
        let count = measure.tree.nodeCount
        isExcluded = Array(repeating: false, count: count)
        textLength = Array(repeating: 0, count: count)
        linkLength = textLength
        near = Array(repeating: 0, count: count)
        var sums = ParagraphSums(count: count)
        for index in 1..<max(1, count) {
            let parent = measure.tree.records[index].parent
            guard parent != HTMLTree.none else { continue }
            isExcluded[index] =
                isExcluded[Int(parent)] || Self.isExcluded(index, measure, names)
            if isExcluded[index] || measure.length[index] == 0 { continue }
            textLength[index] = measure.length[index]
            if measure.places[index].contains(.link) { linkLength[index] = textLength[index] }
            sums.add(index, measure)
        }
        total = sums.weights()
        for index in total.indices where total[index] > 0 { spread(total[index], from: index) }
        sumUp()
    }

    private static func isExcluded(
        _ index: Int, _ measure: TextMeasure, _ names: BoxName
    ) -> Bool {
        if measure.tree.records[index].isText { return false }
        let node = HTMLTree.Node(index: Int32(index))
        let bound = ContentRules.bound(node, measure, names: names)
        return measure.share(index) <= bound.share && measure.allLength[index] <= bound.length
    }

    /// To ancestors, the less the further away.
    private mutating func spread(_ weight: Float, from index: Int) {
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

    func linkShare(_ node: HTMLTree.Node) -> Float {
        let index = Int(node.index)
        return textLength[index] == 0 ? 0 : Float(linkLength[index]) / Float(textLength[index])
    }
}
