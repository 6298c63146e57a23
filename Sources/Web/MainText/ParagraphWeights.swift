/// How much text each element of a tree holds, and how much of it looks like paragraphs, without
/// what stands around the text.
struct ParagraphWeights {
    struct Node {
        /// Characters that are not white space, in the element and in links inside of it.
        var textLength: Int32 = 0
        var linkLength: Int32 = 0
        /// The weight of all paragraphs inside.
        var total: Float = 0
        /// The same, the less the further away they are.
        var near: Float = 0
        /// Navigation and the like, and all that is inside.
        var isExcluded = false
    }

    let measure: TextMeasure
    let tree: HTMLTree
    let nodes: [Node]

    private static let levels = 5

    /// - Parameter names: what boxes may be left out for.
    init(_ measure: TextMeasure, names: BoxName) {
        self.measure = measure
        tree = measure.tree
        var nodes = Array(repeating: Node(), count: measure.tree.nodeCount)
        nodes.withUnsafeMutableBufferPointer { nodes in
            measure.tree.records.withUnsafeBufferPointer { records in
                let texts = ParagraphSums.with(count: nodes.count) { sums in
                    for index in 1..<max(1, nodes.count) {
                        let parent = records[index].parent
                        guard parent != HTMLTree.none else { continue }
                        let node = Self.node(
                            index, in: nodes[Int(parent)], records[index], measure, names)
                        nodes[index] = node
                        if node.textLength > 0 { sums.add(measure.nodes[index]) }
                    }
                    return sums.weights()
                }
                for index in nodes.indices { nodes[index].total = texts[index] }
                for index in nodes.indices where texts[index] > 0 {
                    Self.spread(texts[index], from: index, in: nodes, records)
                }
                Self.sumUp(nodes, records)
            }
        }
        self.nodes = nodes
    }

    private static func node(
        _ index: Int, in parent: Node, _ record: HTMLTree.Record, _ measure: TextMeasure,
        _ names: BoxName
    ) -> Node {
        var node = Node()
        node.isExcluded = parent.isExcluded || isExcluded(index, record, measure, names)
        let text = measure.nodes[index]
        if node.isExcluded || text.length == 0 { return node }
        node.textLength = text.length
        if text.places.contains(.link) { node.linkLength = text.length }
        return node
    }

    private static func isExcluded(
        _ index: Int, _ record: HTMLTree.Record, _ measure: TextMeasure, _ names: BoxName
    ) -> Bool {
        if record.isText { return false }
        let node = HTMLTree.Node(index: Int32(index))
        let bound = ContentRules.bound(node, measure, names: names)
        // Most are kept, whatever they hold.
        return bound.share >= 0 && measure.nodes[index].allLength <= bound.length
            && measure.share(index) <= bound.share
    }

    /// To ancestors, the less the further away.
    private static func spread(
        _ weight: Float, from index: Int, in nodes: UnsafeMutableBufferPointer<Node>,
        _ records: UnsafeBufferPointer<HTMLTree.Record>
    ) {
        var ancestor = records[index].parent
        var divisor: Float = 1
        for _ in 0..<levels where ancestor != HTMLTree.none {
            nodes[Int(ancestor)].near += weight / divisor
            divisor = divisor == 1 ? 2 : divisor * 1.5
            ancestor = records[Int(ancestor)].parent
        }
    }

    private static func sumUp(
        _ nodes: UnsafeMutableBufferPointer<Node>, _ records: UnsafeBufferPointer<HTMLTree.Record>
    ) {
        for index in nodes.indices.reversed() where index > 0 {
            let parent = Int(records[index].parent)
            guard parent >= 0 else { continue }
            nodes[parent].textLength += nodes[index].textLength
            nodes[parent].linkLength += nodes[index].linkLength
            nodes[parent].total += nodes[index].total
        }
    }

    func linkShare(_ node: HTMLTree.Node) -> Float {
        let found = nodes[Int(node.index)]
        return found.textLength == 0 ? 0 : Float(found.linkLength) / Float(found.textLength)
    }
}
