import Glibc

/// What an element's name, role, class and id say of whether it belongs to the text.
enum ContentRules {
    static func isExcluded(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Bool {
        switch tree.element(node) {
        case .script, .style, .noscript, .template, .nav, .aside, .footer, .form, .button, .select,
            .iframe, .svg, .math, .object, .embed, .textarea, .dialog, .title:
            return true
        case .html, .head, .body, .main, .article: return false
        case .header:
            // That of an article has its title; that of the page has its menu.
            guard let parent = tree.parent(of: node) else { return false }
            return parent == tree.body
        default: break
        }
        if tree[node].attributes.isEmpty { return false }
        if tree.attribute(.hidden, of: node) != nil { return true }
        if let role = tree.value(.role, of: node), excludedRoles.contains(role.lowercased()) {
            return true
        }
        guard tree.element(node)?.isBlock == true else { return false }
        let names = names(of: node, tree)
        return has(names, negative) && !has(names, positive)
    }

    static func isMain(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Bool {
        switch tree.element(node) {
        case .main, .article: true
        default:
            tree.value(.role, of: node)?.lowercased() == "main"
                || tree.value(.itemprop, of: node)?.lowercased() == "articlebody"
        }
    }

    /// More for an element that is named as content is.
    static func factor(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Float {
        has(names(of: node, tree), positive) ? 1.25 : 1
    }

    private static let excludedRoles: Set = [
        "navigation", "banner", "complementary", "contentinfo", "search", "menu", "menubar",
        "dialog", "alert", "alertdialog", "toolbar", "tablist",
    ]

    private static let negative: [StaticString] = [
        "nav", "menu", "sidebar", "footer", "comment", "share", "social", "related", "promo",
        "cookie", "consent", "banner", "breadcrumb", "advert", "sponsor", "pagination", "pager",
        "popup", "modal", "subscribe", "newsletter", "toolbar", "masthead", "skip-link", "toc",
    ]
    private static let positive: [StaticString] = [
        "article", "body", "content", "entry", "main", "post", "story", "text",
    ]

    /// Class and id in lower case; of very long ones the start.
    private static func names(of node: HTMLTree.Node, _ tree: HTMLTree) -> [UInt8] {
        var names: [UInt8] = []
        for name in [HTMLAttributeName.class, .id] {
            guard let attribute = tree.attribute(name, of: node) else { continue }
            names += tree.source[attribute.valueRange.prefix(256)].map(\.asciiLowercased)
            names.append(0x20)
        }
        return names
    }

    private static func has(_ names: [UInt8], _ words: [StaticString]) -> Bool {
        names.withUnsafeBytes { names in
            guard let start = names.baseAddress else { return false }
            // Both are in lower case.
            return words.contains { word in
                let (first, count) = (word.utf8Start, word.utf8CodeUnitCount)
                guard names.count >= count else { return false }
                return (0...names.count - count).contains {
                    names[$0] == first.pointee && memcmp(start + $0, first, count) == 0
                }
            }
        }
    }
}

extension HTMLElement {
    /// Elements that begin a line of their own.
    var isBlock: Bool {
        switch self {
        case .html, .body, .table, .tbody, .thead, .tfoot, .tr, .td, .th, .caption, .li, .dd, .dt,
            .option:
            true
        default: closesParagraph
        }
    }
}
