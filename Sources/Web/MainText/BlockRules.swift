/// Which of the blocks inside of the main element are its text. Each rule is a loop over them.
enum BlockRules {
    static func kept(_ blocks: [TextBlock]) -> [TextBlock] {
        var blocks = blocks
        blocks = withoutSurroundings(consume blocks)
        blocks = withoutLinks(consume blocks)
        blocks = withoutNotes(consume blocks)
        blocks = withoutOffers(consume blocks)
        blocks = withoutEdges(consume blocks)
        return withoutEmptyHeadings(blocks)
    }

    /// Around the element that is named as the text: before it the title and what opens the text,
    /// behind it nothing.
    static func withoutSurroundings(_ blocks: consuming [TextBlock]) -> [TextBlock] {
        let title = blocks.lastIndex { $0.zone == .before && $0.level == 1 } ?? 0
        var index = -1
        blocks.removeAll { block in
            index += 1
            return switch block.zone {
            case .inside: false
            case .after: true
            case .before: !(index >= title && (block.level == 1 || opensText(block)))
            }
        }
        return blocks
    }

    private static func opensText(_ block: TextBlock) -> Bool {
        block.length >= 60 && block.linkLength * 4 < block.length
    }

    /// A paragraph that is one link leads elsewhere.
    static func withoutLinks(_ blocks: consuming [TextBlock]) -> [TextBlock] {
        for index in blocks.indices where blocks[index].isPlain {
            if blocks[index].isLink && blocks[index].length < 300 { blocks[index] = .gap }
        }
        return blocks
    }

    /// Whose a picture is; and what asks to follow, to subscribe, to read on: all of it stressed,
    /// with a link.
    static func withoutNotes(_ blocks: consuming [TextBlock]) -> [TextBlock] {
        for index in blocks.indices where blocks[index].isPlain {
            let length = blocks[index].length
            let asks =
                length < 200 && blocks[index].linkLength * 5 >= length
                && blocks[index].emphasisLength * 10 >= length * 9
            if asks || length < 100 && isCredit(blocks[index].text) { blocks[index] = .gap }
        }
        return blocks
    }

    private static func isCredit(_ text: String) -> Bool {
        // By the first byte, because hardly any begins like that.
        let first = text.utf8.first
        if first == 0xC2, text.hasPrefix("©") { return true }
        if first == UInt8(ascii: "("), text.hasPrefix("(c)") { return true }
        guard let colon = text.utf8.prefix(32).firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        // In French a space stands before the colon.
        let name = text[..<colon].lowercased()
        return credits.contains(name.last?.isWhitespace == true ? String(name.dropLast()) : name)
    }

    private static let credits: Set = [
        "foto", "fotos", "photo", "photos", "bild", "bilder", "image", "images", "credit",
        "credits", "picture", "imagen", "imágenes", "crédit", "crédits", "crédit photo",
        "crédits photos", "bildquelle", "quelle", "source", "fuente", "fonte", "photo credit",
        "zdjęcie", "источник", "фото",
    ]

    /// What offers something else; of what such a heading is over, the short lines.
    static func withoutOffers(_ blocks: consuming [TextBlock]) -> [TextBlock] {
        var isOffered = false
        for index in blocks.indices where blocks[index].kind != .gap {
            let (kind, length) = (blocks[index].kind, blocks[index].length)
            let isHeading = blocks[index].isHeading
            if isHeading || length >= 200 { isOffered = false }
            let isShort = length < 200 && kind != .preformatted
            if isShort, kind != .cell, Offers.begins(blocks[index].text) {
                isOffered = isOffered || isHeading
                blocks[index] = .gap
            } else if isOffered {
                blocks[index] = .gap
            }
        }
        return blocks
    }

    /// Before the first paragraph and behind the last: dates, names, categories in boxes.
    static func withoutEdges(_ blocks: consuming [TextBlock]) -> [TextBlock] {
        guard let first = blocks.firstIndex(where: \.isSolid),
            let last = blocks.lastIndex(where: \.isSolid)
        else { return blocks }
        var index = -1
        blocks.removeAll { block in
            index += 1
            return !(first...last).contains(index) && block.kind == .loose
        }
        return blocks
    }

    /// A heading over nothing: what it headed was left out. The same for a line that announces.
    static func withoutEmptyHeadings(_ blocks: [TextBlock]) -> [TextBlock] {
        var kept: [TextBlock] = []
        kept.reserveCapacity(blocks.count)
        var next: TextBlock?
        var isBeforeGap = false
        for block in blocks.reversed() {
            if block.kind == .gap {
                isBeforeGap = true
                continue
            }
            if isOverNothing(block, before: next, gap: isBeforeGap) {
                isBeforeGap = true
                continue
            }
            kept.append(block)
            next = block
            isBeforeGap = false
        }
        kept.reverse()
        return kept
    }

    private static func isOverNothing(
        _ block: TextBlock, before next: TextBlock?, gap: Bool
    ) -> Bool {
        if let level = block.level {
            guard let next else { return true }
            return gap && (next.level.map { $0 <= level } ?? false)
        }
        guard gap, block.length < 100, block.kind != .preformatted else { return false }
        return block.text.hasSuffix(":") || block.emphasisLength == block.length
    }
}
