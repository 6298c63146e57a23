/// Which of the blocks inside of the main element are its text. Each rule is a loop over them.
enum BlockRules {
    static func kept(_ blocks: [TextBlock]) -> [TextBlock] {
        var blocks = withoutSurroundings(blocks)
        blocks = withoutLinks(blocks)
        blocks = withoutNotes(blocks)
        blocks = withoutOffers(blocks)
        blocks = withoutEdges(blocks)
        blocks = withoutEmptyHeadings(blocks)
        return blocks.filter { $0.kind != .gap }
    }

    /// Around the element that is named as the text: before it the title and what opens the text,
    /// behind it nothing.
    static func withoutSurroundings(_ blocks: [TextBlock]) -> [TextBlock] {
        let title = blocks.lastIndex { $0.zone == .before && $0.level == 1 } ?? 0
        return blocks.enumerated().filter { index, block in
            switch block.zone {
            case .inside: true
            case .after: false
            case .before:
                index >= title && (block.level == 1 || opensText(block))
            }
        }.map(\.element)
    }

    private static func opensText(_ block: TextBlock) -> Bool {
        block.length >= 60 && block.linkLength * 4 < block.length
    }

    /// A paragraph that is one link leads elsewhere.
    static func withoutLinks(_ blocks: [TextBlock]) -> [TextBlock] {
        blocks.map { block in
            switch block.kind {
            case .paragraph, .loose: block.isLink && block.length < 300 ? .gap : block
            default: block
            }
        }
    }

    /// Whose a picture is; and what asks to follow, to subscribe, to read on: all of it stressed,
    /// with a link.
    static func withoutNotes(_ blocks: [TextBlock]) -> [TextBlock] {
        blocks.map { block in
            guard block.kind == .paragraph || block.kind == .loose else { return block }
            if block.length < 100, isCredit(block.text) { return .gap }
            let asks =
                block.length < 200 && block.linkLength * 5 >= block.length
                && block.emphasisLength * 10 >= block.length * 9
            return asks ? .gap : block
        }
    }

    private static func isCredit(_ text: String) -> Bool {
        if text.hasPrefix("©") || text.hasPrefix("(c)") { return true }
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
    static func withoutOffers(_ blocks: [TextBlock]) -> [TextBlock] {
        var isOffered = false
        return blocks.map { block in
            if block.kind == .gap { return block }
            if block.isHeading || block.length >= 200 { isOffered = false }
            let isShort = block.length < 200 && block.kind != .preformatted
            if isShort, block.kind != .cell, Offers.begins(block.text) {
                isOffered = isOffered || block.isHeading
                return .gap
            }
            return isOffered ? .gap : block
        }
    }

    /// Before the first paragraph and behind the last: dates, names, categories in boxes.
    static func withoutEdges(_ blocks: [TextBlock]) -> [TextBlock] {
        guard let first = blocks.firstIndex(where: \.isSolid),
            let last = blocks.lastIndex(where: \.isSolid)
        else { return blocks }
        return blocks.enumerated().filter { index, block in
            index >= first && index <= last || block.kind != .loose
        }.map(\.element)
    }

    /// A heading over nothing: what it headed was left out. The same for a line that announces.
    static func withoutEmptyHeadings(_ blocks: [TextBlock]) -> [TextBlock] {
        var kept: [TextBlock] = []
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
        return kept.reversed()
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
