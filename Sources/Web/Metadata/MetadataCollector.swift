/// Walks over a tree once and keeps, for each field, the candidate of the strongest source.
struct MetadataCollector {
    enum Name {
        case title, description, author, siteName, language, published, modified, canonical
        case image, type, keywords
    }

    private struct Candidate {
        var values: [String]
        var source: PageMetadata.Source
        var position: SourcePosition
    }

    let tree: HTMLTree
    let baseURL: WebURL
    private var found: [Name: Candidate] = [:]
    private var heading: HTMLTree.Node?
    private static let maxTextBytes = 4096
    private static let maxValues = 100

    init(tree: HTMLTree, baseURL: WebURL) {
        self.tree = tree
        self.baseURL = baseURL
    }

    mutating func collect() {
        add(.language, tree.value(.lang, of: tree.root), .html, tree.root)
        var node: HTMLTree.Node? = tree.root
        while let current = node {
            let isHidden = tree.element(current) == .template
            if !tree.isText(current), !tree.isForeign(current), !isHidden { visit(current) }
            node = tree.next(after: current, in: tree.root, skippingChildren: isHidden)
        }
        if found[.title] == nil, let heading { add(.title, text(heading), .html, heading) }
    }

    private mutating func visit(_ node: HTMLTree.Node) {
        switch tree.element(node) {
        case .title: add(.title, text(node), .html, node)
        case .meta: visitMeta(node)
        case .link: visitLink(node)
        case .h1 where heading == nil: heading = node
        case .time: visitTime(node)
        case .a where words(.rel, of: node).contains("author"):
            add(.author, text(node), .html, node)
        case .script where isLinkedData(node): visitLinkedData(node)
        default:
            if tree.value(.itemprop, of: node)?.lowercased() == "author" {
                add(.author, text(node), .html, node)
            }
        }
    }

    // MARK: Elements

    private mutating func visitMeta(_ node: HTMLTree.Node) {
        guard let content = tree.value(.content, of: node) else { return }
        if tree.value(.httpEquiv, of: node)?.lowercased() == "content-language" {
            return add(.language, content, .html, node)
        }
        let keys = [
            tree.value(.property, of: node), tree.value(.name, of: node),
            tree.value(.itemprop, of: node),
        ]
        for key in keys.compactMap({ $0 }) {
            let key = HTMLText.collapsing(Array(key.utf8), limit: 64).lowercased()
            guard let (name, source) = MetaNames.meaning(of: key) else { continue }
            if name == .keywords, source == .html {
                for word in content.split(separator: ",") {
                    add(.keywords, String(word), source, node)
                }
            } else {
                add(name, content, source, node)
            }
        }
    }

    private mutating func visitLink(_ node: HTMLTree.Node) {
        guard words(.rel, of: node).contains("canonical") else { return }
        add(.canonical, tree.value(.href, of: node), .html, node)
    }

    private mutating func visitTime(_ node: HTMLTree.Node) {
        let property = tree.value(.itemprop, of: node)?.lowercased()
        guard let date = tree.value(.datetime, of: node) else { return }
        switch property {
        case "datemodified", "dateupdated": add(.modified, date, .html, node)
        case "datepublished", "datecreated": add(.published, date, .html, node)
        default:
            let classes = words(.class, of: node)
            if classes.contains("published") || classes.contains("entry-date") {
                add(.published, date, .html, node)
            }
        }
    }

    private func isLinkedData(_ node: HTMLTree.Node) -> Bool {
        tree.value(.type, of: node).flatMap { MediaType($0) }?.essence == "application/ld+json"
    }

    private mutating func visitLinkedData(_ node: HTMLTree.Node) {
        var bytes: [UInt8] = []
        for child in tree.children(of: node) { tree.appendText(child, to: &bytes) }
        let data = LinkedData(bytes)
        for (name, value) in data.fields { add(name, value, .jsonLD, node) }
    }

    private func words(_ name: HTMLAttributeName, of node: HTMLTree.Node) -> [String] {
        (tree.value(name, of: node) ?? "").utf8.split(whereSeparator: \.isASCIIWhitespace).map {
            String(decoding: $0.map(\.asciiLowercased), as: UTF8.self)
        }
    }

    private func text(_ node: HTMLTree.Node) -> String {
        tree.textContent(of: node, limit: MetadataCollector.maxTextBytes)
    }

    // MARK: Candidates

    /// Keeps a value, unless one is there from a source as strong. Authors and keywords of one
    /// source add up; a date or URL that can't be read is none.
    private mutating func add(
        _ name: Name, _ value: String?, _ source: PageMetadata.Source, _ node: HTMLTree.Node
    ) {
        guard let value else { return }
        let text = HTMLText.collapsing(
            Array(value.utf8), limit: MetadataCollector.maxTextBytes)
        guard !text.isEmpty, isReadable(name, text) else { return }
        let isList = name == .author || name == .keywords
        if var candidate = found[name], candidate.source <= source {
            guard isList, candidate.source == source, !candidate.values.contains(text),
                candidate.values.count < MetadataCollector.maxValues
            else { return }
            candidate.values.append(text)
            found[name] = candidate
        } else {
            let position = tree.position(of: node)
            found[name] = Candidate(values: [text], source: source, position: position)
        }
    }

    private func isReadable(_ name: Name, _ text: String) -> Bool {
        switch name {
        case .published, .modified: DateText.parse(text) != nil
        case .canonical, .image: WebURL(text, base: baseURL)?.isHTTP == true
        // Profiles are given where names are meant.
        case .author: WebURL(text)?.isHTTP != true
        default: true
        }
    }

    func finish() -> PageMetadata {
        var page = PageMetadata()
        page.title = first(.title)
        page.description = first(.description)
        page.authors = all(.author)
        page.siteName = first(.siteName)
        page.language = first(.language)?.map { $0.replacing("_", with: "-") }
        page.published = first(.published)?.map { DateText.parse($0) }
        page.modified = first(.modified)?.map { DateText.parse($0) }
        page.canonical = first(.canonical)?.map { WebURL($0, base: baseURL) }
        page.image = first(.image)?.map { WebURL($0, base: baseURL) }
        page.type = first(.type)
        page.keywords = all(.keywords)
        return page
    }

    private func first(_ name: Name) -> PageMetadata.Field<String>? {
        all(name)?.map { $0.first }
    }

    private func all(_ name: Name) -> PageMetadata.Field<[String]>? {
        found[name].map { .init(value: $0.values, source: $0.source, position: $0.position) }
    }
}
