/// Where the text is: an element that holds it with its title and its first lines, and inside of
/// that the element that is named as the text itself, if there is one.
struct MainElement {
    var outer: HTMLTree.Node
    var inner: HTMLTree.Node

    private let weights: ParagraphWeights
    private let tree: HTMLTree

    init(_ weights: ParagraphWeights) {
        self.weights = weights
        tree = weights.tree
        outer = weights.tree.body
        inner = outer
        outer = chosen()
        inner = named(in: outer)
        outer = withTitle()
    }

    /// What holds the last title before the text, too: what opens a text often stands between.
    private func withTitle() -> HTMLTree.Node {
        var title: HTMLTree.Node?
        for index in 0..<Int(inner.index) where tree.records[index].element == .h1 {
            if !weights.nodes[index].isExcluded { title = node(index) }
        }
        guard let title else { return outer }
        let end = tree.records[Int(title.index)].end
        var ancestor = outer
        while tree.records[Int(ancestor.index)].start > tree.records[Int(title.index)].start
            || tree.records[Int(ancestor.index)].end < end, ancestor != tree.body
        {
            guard let parent = tree.parent(of: ancestor) else { return outer }
            ancestor = parent
        }
        return ancestor
    }

    private func node(_ index: Int) -> HTMLTree.Node { HTMLTree.Node(index: Int32(index)) }

    private func chosen() -> HTMLTree.Node {
        let body = Int(tree.body.index)
        if let semantic = semantic() { return node(semantic) }
        var best = body
        var weight: Float = 0
        for (index, held) in weights.nodes.enumerated() where index > body && !held.isExcluded {
            let found = held.near
            if found <= weight { continue }
            let name = BoxName(of: node(index), tree)
            let factor: Float = name.contains(.content) ? 1.25 : 1
            let score = found * (1 - weights.linkShare(node(index))) * factor
            if score > weight { (best, weight) = (index, score) }
        }
        return node(widened(best))
    }

    /// `article`, `main` and their like, if half of the paragraphs are in one of them.
    private func semantic() -> Int? {
        let nodes = weights.nodes
        var best: Int?
        for index in nodes.indices where !nodes[index].isExcluded && nodes[index].total > 0 {
            guard ContentRules.isMain(node(index), tree) else { continue }
            // Of one inside of another, the inner one, if nearly all is there.
            let least =
                best.map { nodes[$0].total * 0.8 } ?? nodes[Int(tree.body.index)].total * 0.5
            if nodes[index].total >= least { best = index }
        }
        return best
    }

    /// As far up as an ancestor has notably more paragraphs.
    private func widened(_ start: Int) -> Int {
        var best = start
        var ancestor = Int(tree.records[start].parent)
        while ancestor > 0, ancestor != Int(tree.root.index) {
            if weights.nodes[ancestor].total >= weights.nodes[best].total * 1.15,
                weights.linkShare(node(ancestor)) < 0.35
            {
                best = ancestor
            }
            ancestor = Int(tree.records[ancestor].parent)
        }
        return best
    }

    /// The innermost element that is named as the text, and has most of it.
    private func named(in outer: HTMLTree.Node) -> HTMLTree.Node {
        var best = Int(outer.index)
        let nodes = weights.nodes
        guard nodes[best].total > 0 else { return outer }
        var next = tree.next(after: outer, in: outer)
        while let current = next {
            let index = Int(current.index)
            let isPassedBy =
                nodes[index].total < nodes[best].total * 0.7 || nodes[index].isExcluded
            if !isPassedBy,
                ContentRules.isArticleBody(current, tree)
                    || BoxName(of: current, tree).contains(.body)
            {
                best = index
            }
            next = tree.next(after: current, in: outer, skippingChildren: isPassedBy)
        }
        return node(best)
    }
}
