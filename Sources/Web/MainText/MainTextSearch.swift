/// Looks for the text by the strictest rules first, and by looser ones where they leave little:
/// names mislead on some pages, and not every page is an article.
struct MainTextSearch {
    struct Found {
        var paragraphs: [String]
        var image: String?
        var root: HTMLTree.Node
        /// Characters that are not white space, and bytes.
        var characters: Int32
        var length: Int
        /// How much of the element that holds the text is link.
        var linkShare: Float

        init(
            _ blocks: [TextBlock], image: String?, root: HTMLTree.Node, linkShare: Float
        ) {
            paragraphs = blocks.map(\.text)
            characters = blocks.reduce(0) { $0 + $1.length }
            length = paragraphs.reduce(0) { $0 + $1.utf8.count }
            self.image = image
            self.root = root
            self.linkShare = linkShare
        }
    }

    let tree: HTMLTree
    let maxBytes: Int

    /// What is shorter is hardly an article.
    private static let short = 120
    /// How much of an index is link.
    private static let ofAnIndex: Float = 0.7

    init(_ tree: HTMLTree, maxBytes: Int) {
        self.tree = tree
        self.maxBytes = maxBytes
    }

    func found() -> Found {
        let measure = TextMeasure(tree)
        if measure.isNothingButLinks { return everything(ParagraphWeights(measure, names: [])) }
        var best = article(ParagraphWeights(measure, names: .all))
        if measure.nodes[Int(tree.body.index)].allLength >= best.characters * 3 {
            let more = article(ParagraphWeights(measure, names: .unmistakable))
            if more.length >= best.length * 3 { best = more }
        }
        if isEnough(best) { return best }
        let weights = ParagraphWeights(measure, names: [])
        let more = article(weights)
        if more.length >= best.length * 2 { best = more }
        // A page that is little but links, such as a table of contents.
        let all = Int(weights.nodes[Int(tree.body.index)].textLength)
        if isEnough(best) || best.length * 4 >= all { return best }
        return everything(weights)
    }

    private func isEnough(_ found: Found) -> Bool {
        found.length >= Self.short && found.linkShare < Self.ofAnIndex
    }

    private func article(_ weights: ParagraphWeights) -> Found {
        let main = MainElement(weights)
        var writer = MainTextWriter(weights, maxBytes: maxBytes)
        writer.write(main.outer, inner: main.inner)
        return Found(
            BlockRules.kept(writer.blocks), image: writer.image, root: main.inner,
            linkShare: weights.linkShare(main.outer))
    }

    private func everything(_ weights: ParagraphWeights) -> Found {
        var writer = MainTextWriter(weights, maxBytes: maxBytes, keepsLinks: true)
        writer.write(tree.body, inner: tree.body)
        return Found(
            writer.blocks.filter { $0.kind != .gap }, image: writer.image, root: tree.body,
            linkShare: weights.linkShare(tree.body))
    }
}
