/// What an element's name, role, class and id say of whether it belongs to the text.
enum ContentRules {
    /// How much a box may hold and still be left out: a share of the page's paragraphs, and
    /// characters. What holds more is what the page is about, whatever it is called.
    struct Bound {
        var share: Float
        var length: Int32 = .max

        /// Kept, whatever it holds.
        static let kept = Bound(share: -1)
        static let always = Bound(share: .infinity)
        /// Unmistakable, however long: comments may be longer than what they are about.
        static let nearlyAll = Bound(share: 0.95)
        static let most = Bound(share: 0.5)
        static let lines = Bound(share: 0.4, length: 500)
        static let caption = Bound(share: 0.4, length: 200)
    }

    static func bound(
        _ node: HTMLTree.Node, _ measure: TextMeasure, names: BoxName
    ) -> Bound {
        let tree = measure.tree
        let element = tree.element(node)
        if element?.isUnread == true { return .always }
        switch element {
        case .nav: return .nearlyAll
        // Some sites have the whole page in one of these.
        case .aside, .footer, .noscript: return .most
        case .form: return Bound(share: 0.25)
        case .figcaption: return .caption
        case .html, .head, .body: return .kept
        // That of an article has its title; that of the page has its menu.
        case .header where tree.parent(of: node) == tree.body: return .most
        default: break
        }
        let told = Told(by: node, tree)
        if told.isNothing { return .kept }
        if told.isHidden || told.style.map({ isHiding($0, tree) }) ?? false { return .most }
        if let role = told.role, excludedRoles.contains(tree.value(of: role).lowercased()) {
            return .most
        }
        guard told.isNamed, !names.isEmpty, element?.isBlock != false || element == .span
        else { return .kept }
        let name = BoxName(of: node, tree).intersection(names)
        return bound(name, of: element, linkShare: measure.linkShare(Int(node.index)))
    }

    /// What the attributes of an element say, by one look at them.
    private struct Told {
        var isHidden = false
        var isNamed = false
        var style: HTMLAttribute?
        var role: HTMLAttribute?

        var isNothing: Bool { !isHidden && !isNamed && style == nil && role == nil }

        init(by node: HTMLTree.Node, _ tree: HTMLTree) {
            let range = tree[node].attributes
            for index in Int(range.lowerBound)..<Int(range.upperBound) {
                switch tree.attributes[index].name {
                case .class, .id: isNamed = true
                case .hidden: isHidden = true
                case .style: style = tree.attributes[index]
                case .role: role = tree.attributes[index]
                default: break
                }
            }
        }
    }

    private static func bound(
        _ name: BoxName, of element: HTMLElement?, linkShare: Float
    ) -> Bound {
        if element == .span { return name.isDisjoint(with: [.caption, .beside]) ? .kept : .lines }
        var bound = Bound.kept
        if name.contains(.comments) {
            bound = .nearlyAll
        } else if !name.isDisjoint(with: [.related, .beside])
            || name.contains(.teaser) && linkShare > 0
        {
            bound = .most
        } else if name.contains(.about) {
            bound = .lines
        } else if name.contains(.caption) {
            bound = .caption
        }
        if element == .article || element == .main { bound.share = min(bound.share, 0.25) }
        return bound
    }

    private static func isHiding(_ style: HTMLAttribute, _ tree: HTMLTree) -> Bool {
        let bytes = tree.source[style.valueRange.prefix(512)].filter { !$0.isASCIIWhitespace }
        return bytes.contains("display:none") || bytes.contains("visibility:hidden")
    }

    static func isMain(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Bool {
        switch tree.element(node) {
        case .main, .article: true
        default: tree.value(.role, of: node)?.lowercased() == "main" || isArticleBody(node, tree)
        }
    }

    static func isArticleBody(_ node: HTMLTree.Node, _ tree: HTMLTree) -> Bool {
        guard let value = tree.value(.itemprop, of: node)?.lowercased() else { return false }
        return value.split(separator: " ").contains("articlebody")
    }

    private static let excludedRoles: Set = [
        "navigation", "banner", "complementary", "contentinfo", "search", "menu", "menubar",
        "dialog", "alert", "alertdialog", "toolbar", "tablist",
    ]
}

extension [UInt8] {
    /// Whether the letters of `text` are in it, in whatever case.
    fileprivate func contains(_ text: StaticString) -> Bool {
        indices.contains { self[$0...].startsIgnoringCase(text) }
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
