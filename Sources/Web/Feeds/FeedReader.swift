/// Walks over the tokens of a feed with the names of the open elements on a stack.
struct FeedReader {
    struct Element {
        /// In lower case, with its prefix, but without `atom:` and `rss:`.
        var name: String
        /// What URLs in it are resolved against.
        var base: WebURL
        /// Of a text, `html`, `xhtml` or another type that the element names.
        var type: String?
        var isPermaLink = true
    }

    let limits: FeedLimits
    var feed = Feed()
    var item: Feed.Item?
    private let documentURL: WebURL
    private var open: [Element] = []
    /// Elements beyond the depth that is followed.
    private var tooDeep = 0
    /// The place on the stack of the element whose text is being read.
    private var field: Int?
    private var text: [UInt8] = []

    init(documentURL: WebURL, limits: FeedLimits) {
        self.documentURL = documentURL
        self.limits = limits
    }

    mutating func take(_ kind: HTMLTokenizer.Kind, _ token: inout HTMLTokenizer) {
        switch kind {
        case .startTag: startTag(&token)
        case .endTag: endTag(token)
        case .text:
            guard field != nil else { return }
            if text.count < limits.maxTextBytes {
                token.appendText(to: &text)
            } else {
                feed.isTruncated = true
            }
        case .comment, .doctype: break
        }
    }

    // MARK: Tags

    private mutating func startTag(_ tag: inout HTMLTokenizer) {
        let name = FeedReader.name(tag.tagName)
        // Markup inside of a text (`xhtml`, or RSS that isn't escaped) is part of it.
        if field != nil {
            text += tag.source.slice(tag.tokenRange)
        }
        guard open.count < limits.maxDepth else {
            feed.isTruncated = true
            if !tag.isSelfClosing { tooDeep += 1 }
            return
        }
        var element = Element(name: name, base: open.last?.base ?? documentURL)
        if let base = tag.value(.xmlBase), let url = WebURL(base, base: element.base) {
            element.base = url
        }
        element.type = tag.value(.type)
        element.isPermaLink = tag.value(.isPermaLink)?.lowercased() != "false"
        if field == nil { begin(element, &tag) }
        if tag.isSelfClosing {
            if field == nil, name == "item" || name == "entry" { endItem() }
            return
        }
        open.append(element)
        if field == nil, isField(name) {
            field = open.count - 1
            text.removeAll(keepingCapacity: true)
        }
    }

    private mutating func endTag(_ tag: borrowing HTMLTokenizer) {
        if tooDeep > 0 {
            tooDeep -= 1
            return
        }
        let name = FeedReader.name(tag.tagName)
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        if let field {
            if place > field { text += tag.source.slice(tag.tokenRange) }
            if place <= field { endField(field) }
        }
        if open[place...].contains(where: { $0.name == "item" || $0.name == "entry" }) {
            endItem()
        }
        open.removeSubrange(place...)
    }

    private static func name(_ name: String) -> String {
        for prefix in ["atom:", "rss:", "atom10:"] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    // MARK: Elements

    /// What an element means by being there: the format, an item, a link in attributes.
    private mutating func begin(_ element: Element, _ tag: inout HTMLTokenizer) {
        switch element.name {
        case "rss": feed.format = feed.format ?? .rss
        case "rdf:rdf": feed.format = feed.format ?? .rss1
        case "feed" where open.isEmpty:
            feed.format = feed.format ?? .atom
            feed.language = tag.value(.xmlLang)
        case "item", "entry":
            endItem()
            guard feed.format != nil else { return }
            item = Feed.Item(base: element.base, position: tag.tokenPosition())
            item?.id = tag.value(.rdfAbout)
        default: takeAttributes(element, tag)
        }
    }

    private mutating func takeAttributes(_ element: Element, _ tag: borrowing HTMLTokenizer) {
        guard isDirect else { return }
        switch element.name {
        case "link":
            guard let href = tag.value(.href), let url = WebURL(href, base: element.base) else {
                return
            }
            takeLink(url, tag)
        case "category":
            if let term = tag.value(.term) ?? tag.value(.label) { addCategory(term) }
        case "enclosure", "media:content":
            guard let url = tag.value(.url).flatMap({ WebURL($0, base: element.base) }) else {
                return
            }
            addEnclosure(url, tag)
        default: break
        }
    }

    /// Atom's `link`: one without `rel` is an alternate.
    private mutating func takeLink(_ url: WebURL, _ tag: borrowing HTMLTokenizer) {
        let rel = tag.value(.rel)?.lowercased() ?? "alternate"
        if item == nil {
            if rel == "self" { feed.selfLink = feed.selfLink ?? url }
            if rel == "alternate" { feed.link = feed.link ?? url }
        } else if rel == "alternate" {
            fill(\.link, url)
        } else if rel == "enclosure" {
            addEnclosure(url, tag)
        }
    }

    private mutating func addEnclosure(_ url: WebURL, _ tag: borrowing HTMLTokenizer) {
        guard let found = item?.enclosures, found.count < limits.maxValues,
            !found.contains(where: { $0.url == url })
        else { return }
        item?.enclosures.append(
            Feed.Enclosure(
                url: url, type: tag.value(.type), length: tag.value(.length).flatMap { Int64($0) }))
    }

    mutating func addCategory(_ text: String) {
        guard let found = item?.categories, found.count < limits.maxValues, !text.isEmpty,
            !found.contains(text)
        else { return }
        item?.categories.append(text)
    }

    /// Whether the innermost element is a feed or an item, and not an image or a source in it.
    private var isDirect: Bool {
        ["channel", "feed", "item", "entry", "media:group", "rdf:rdf"].contains(
            open.last?.name ?? "")
    }

    /// Whether the text of an element is asked for.
    private func isField(_ name: String) -> Bool {
        let parent = open.dropLast().last?.name ?? ""
        if name == "name" { return parent == "author" && open.count < 5 }
        guard ["channel", "feed", "item", "entry"].contains(parent) else { return false }
        return FeedFields.names.contains(name) && !(name == "author" && feed.format == .atom)
    }

    // MARK: Ends

    private mutating func endField(_ place: Int) {
        field = nil
        let text = HTMLText.trimmed(self.text, limit: limits.maxTextBytes)
        if !text.isEmpty { set(open[place], text) }
    }

    private mutating func endItem() {
        field = nil
        guard var done = item else { return }
        item = nil
        guard feed.items.count < limits.maxItems else {
            feed.isTruncated = true
            return
        }
        done.id = done.id ?? done.link?.href
        feed.items.append(done)
    }

    mutating func finish(_ token: borrowing HTMLTokenizer) -> Feed {
        if let field { endField(field) }
        endItem()
        if feed.format == nil { feed = Feed() }
        if !token.excess.isEmpty { feed.isTruncated = true }
        return feed
    }
}
