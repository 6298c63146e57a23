/// What the texts of a feed mean.
enum FeedFields {
    static let names: Set = [
        "title", "link", "guid", "id", "description", "subtitle", "tagline", "summary", "content",
        "content:encoded", "author", "dc:creator", "itunes:author", "category", "dc:subject",
        "pubdate", "published", "issued", "created", "dc:date", "dcterms:issued", "updated",
        "modified", "dcterms:modified", "lastbuilddate", "language", "dc:language",
    ]
}

extension FeedReader {
    mutating func set(_ element: Element, _ text: String) {
        if item == nil { setFeed(element, text) } else { setItem(element, text) }
    }

    private mutating func setFeed(_ element: Element, _ text: String) {
        switch element.name {
        case "title": feed.title = feed.title ?? HTMLText.withoutMarkup(text)
        case "link": feed.link = feed.link ?? WebURL(text, base: element.base)
        case "description", "subtitle", "tagline":
            feed.description = feed.description ?? HTMLText.withoutMarkup(text)
        case "language", "dc:language": feed.language = feed.language ?? text
        case "lastbuilddate", "updated", "modified", "pubdate", "dc:date":
            feed.updated = feed.updated ?? DateText.parse(text)
        default: break
        }
    }

    private mutating func setItem(_ element: Element, _ text: String) {
        switch element.name {
        case "title": fill(\.title, HTMLText.withoutMarkup(text))
        case "link": fill(\.link, WebURL(text, base: element.base))
        case "guid":
            item?.id = text
            // Only an absolute one: it is an identifier first.
            if element.isPermaLink, item?.link == nil, let url = WebURL(text), url.isHTTP {
                item?.link = url
            }
        case "id": item?.id = text
        case "description", "summary": fill(\.summary, text)
        case "content", "content:encoded":
            fill(\.content, text)
            item?.base = element.base
        case "name", "author", "dc:creator", "itunes:author": addAuthor(text)
        case "category", "dc:subject": addCategory(HTMLText.withoutMarkup(text))
        case "pubdate", "published", "issued", "created", "dc:date", "dcterms:issued":
            fill(\.published, DateText.parse(text))
        case "updated", "modified", "dcterms:modified":
            fill(\.updated, DateText.parse(text))
        default: break
        }
    }

    /// The first value that is there stays.
    mutating func fill<Value>(_ part: WritableKeyPath<Feed.Item, Value?>, _ value: Value?) {
        guard var changed = item, changed[keyPath: part] == nil else { return }
        changed[keyPath: part] = value
        item = changed
    }

    /// RSS has addresses, with the name in brackets behind.
    private mutating func addAuthor(_ text: String) {
        var name = HTMLText.withoutMarkup(text)
        if name.contains("@"), let start = name.firstIndex(of: "("), name.hasSuffix(")") {
            name = String(name[name.index(after: start)...].dropLast())
        }
        guard let found = item?.authors, found.count < limits.maxValues, !name.isEmpty,
            !found.contains(name)
        else { return }
        item?.authors.append(name)
    }
}

extension HTMLText {
    static func trimmed(_ bytes: [UInt8], limit: Int) -> String {
        let cut = bytes.count > limit ? bytes[..<limit] : bytes[...]
        return String(decoding: cut.trimmingASCIIWhitespace(), as: UTF8.self)
    }

    /// The text of what may be HTML: tags removed, references decoded once more.
    static func withoutMarkup(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return collapsing(bytes, limit: .max)
        }
        return HTMLTokenizer.scan(bytes) { tokenizer in
            var out: [UInt8] = []
            while let kind = tokenizer.next() {
                if kind == .text, !tokenizer.isRawText { tokenizer.appendText(to: &out) }
            }
            return collapsing(out, limit: .max)
        }
    }
}
