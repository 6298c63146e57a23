import Testing

@testable import Web

@Suite struct BlockRuleTests {
    private func block(
        _ kind: TextBlock.Kind, _ text: String, _ length: Int32 = 0, links: Int32 = 0,
        emphasis: Int32 = 0, zone: TextBlock.Zone = .inside
    ) -> TextBlock {
        let count = length > 0 ? length : Int32(text.filter { !$0.isWhitespace }.count)
        return TextBlock(
            kind: kind, text: text, zone: zone, length: count, linkLength: links,
            emphasisLength: emphasis)
    }

    private func texts(_ blocks: [TextBlock]) -> [String] {
        blocks.filter { $0.kind != .gap }.map(\.text)
    }

    @Test func `before the text are its title and what opens it, behind it nothing`() {
        let kept = BlockRules.withoutSurroundings([
            block(.paragraph, "before the title", 90, zone: .before),
            block(.heading(1), "Title", zone: .before),
            block(.loose, "a date", zone: .before), block(.paragraph, "lead", 60, zone: .before),
            block(.paragraph, "many links", 90, links: 30, zone: .before),
            block(.paragraph, "text"),
            block(.paragraph, "after", 900, zone: .after),
        ])
        #expect(texts(kept) == ["Title", "lead", "text"])
    }

    @Test func `a paragraph that is one link leads elsewhere`() {
        let kept = BlockRules.withoutLinks([
            block(.paragraph, "elsewhere", 20, links: 20), block(.item, "an item", 20, links: 20),
            block(.paragraph, "a part of it", 20, links: 10),
            block(.paragraph, "a whole text", 300, links: 300),
        ])
        #expect(texts(kept) == ["an item", "a part of it", "a whole text"])
    }

    @Test func `whose a picture is, and what asks to follow`() {
        let kept = BlockRules.withoutNotes([
            block(.paragraph, "Foto: somebody"), block(.loose, "© somebody"),
            block(.paragraph, "Crédits photos : Agence"),
            block(.paragraph, "Photo albums: a story"),
            block(.paragraph, "Follow us there", 13, links: 5, emphasis: 13),
            block(.paragraph, "A link, not stressed", 16, links: 5),
            block(.preformatted, "source: here"),
        ])
        #expect(texts(kept) == ["Photo albums: a story", "A link, not stressed", "source: here"])
    }

    @Test func `what offers something else goes with the short lines below it`() {
        let kept = BlockRules.withoutOffers([
            block(.paragraph, "text"), block(.heading(3), "Das könnte Sie auch interessieren"),
            block(.paragraph, "one"), block(.item, "two"), block(.paragraph, "long", 200),
            block(.paragraph, "short"), block(.paragraph, "Lire aussi : autre chose"),
            block(.heading(2), "Related work"), block(.paragraph, "of others"),
            block(.heading(2), "相关阅读"), block(.item, "別"), block(.heading(2), "Next"),
            block(.paragraph, "again"), block(.heading(2), "RELATED:"), block(.cell, "cell"),
        ])
        #expect(
            texts(kept) == [
                "text", "long", "short", "Related work", "of others", "Next", "again",
            ])
    }

    @Test func `boxes of a few words are no text before the first paragraph and behind the last`() {
        let kept = BlockRules.withoutEdges([
            block(.loose, "Politics"), block(.paragraph, "1 May"), block(.loose, "solid", 60),
            block(.loose, "between"), block(.paragraph, "solid too", 60), block(.loose, "Share"),
            block(.item, "item"),
        ])
        #expect(texts(kept) == ["1 May", "solid", "between", "solid too", "item"])
        let short = [block(.loose, "a"), block(.loose, "b")]
        #expect(BlockRules.withoutEdges(short) == short)
    }

    @Test func `a heading over nothing goes, one over a smaller heading stays`() {
        let kept = BlockRules.withoutEmptyHeadings([
            block(.heading(1), "Title"), block(.heading(2), "Part"), block(.paragraph, "text"),
            block(.heading(3), "over what is gone"), .gap, block(.heading(2), "empty"),
            block(.heading(2), "full"), block(.paragraph, "text"), block(.paragraph, "See here:"),
            .gap, block(.paragraph, "Left: as it is"), block(.heading(2), "last"), .gap,
        ])
        #expect(
            texts(kept) == ["Title", "Part", "text", "empty", "full", "text", "Left: as it is"])
    }
}
