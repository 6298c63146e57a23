import Testing

@testable import Web

/// Documents made to hurt: each ends with its code, soon.
@Suite struct HostileDocumentTests {
    private func build(_ html: String) -> (tree: HTMLTree, time: Duration) {
        let bytes = Array(html.utf8)
        var tree: HTMLTree?
        let time = ContinuousClock().measure { tree = HTMLTree(bytes) }
        return (tree!, time)
    }

    /// A debug build is some thirty times slower than what runs.
    private let soon = Duration.seconds(30)

    @Test(arguments: [
        "<div>", "<b>", "<a>", "<table><tr><td>", "<svg>", "<svg><foreignObject>", "<template>",
        "<ul><li>", "<x-y>", "<p><font color=red>", "<button>", "<select><option>",
    ])
    func `a hundred thousand nested tags`(tag: String) {
        let (tree, time) = build(String(repeating: tag, count: 100_000) + "x</div></b></table>")
        #expect(time < soon)
        var depth = 0
        var node: HTMLTree.Node? = tree.root
        while let current = node, depth < 1000 {
            depth += 1
            node = tree.children(of: current).last
        }
        #expect(depth <= 514)
        // Of these, each ends the one before it.
        let isFlat = ["<b>", "<a>", "<button>"].contains(tag)
        #expect(isFlat || tree.excess.contains(.depth) || tree.excess.contains(.nodes))
    }

    @Test(arguments: [
        "</div>", "</p>", "</b>", "</x>", "<p></b>", "</br>", "<td>", "<p><b><p></b>",
    ])
    func `twenty thousand stray tags in a deep document`(tag: String) {
        let html =
            String(repeating: "<i><span>", count: 250) + String(repeating: tag, count: 20_000)
        let (tree, time) = build(html)
        #expect(time < soon)
        #expect(tree.nodeCount <= HTMLLimits().maxNodes)
    }

    @Test func `an attribute of ten mebibytes, and ten thousand attributes`() {
        let (tree, time) = build(
            "<p title=\"" + String(repeating: "x", count: 10 << 20) + "\">a<p "
                + (1...10_000).map { "a\($0)" }.joined(separator: " ") + ">b")
        #expect(time < soon)
        #expect(tree.excess == [.attributes, .attributeBytes])
        #expect(tree.textContent(of: tree.body) == "ab")
    }

    @Test func `more nodes than the limit`() {
        var limits = HTMLLimits()
        limits.maxNodes = 1000
        let html = String(repeating: "<p>a", count: 10_000)
        let tree = HTMLTree(Array(html.utf8), limits: limits)
        #expect(tree.nodeCount == 1000 && tree.excess.contains(.nodes))
    }

    @Test func `formatting that is never closed`() {
        let open = (1...1000).map { "<b id=x\($0)>" }.joined()
        let (tree, time) = build("<p>" + open + String(repeating: "</p>a<p>", count: 20_000))
        #expect(time < soon)
        #expect(tree.nodeCount <= HTMLLimits().maxNodes)
    }
}
