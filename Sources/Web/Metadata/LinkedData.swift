/// The fields of the main thing that a JSON-LD script describes, by the words of schema.org.
///
/// Not a JSON-LD processor: contexts are taken for schema.org's, `@graph` and arrays are looked
/// into, and a reference by `@id` is followed inside of the script. Depth and number of the nodes
/// that are looked at are bounded.
struct LinkedData {
    private(set) var fields: [(MetadataCollector.Name, String)] = []
    private var nodes: [JSONValue] = []
    private var byID: [String: JSONValue] = [:]

    private static let maxNodes = 1000

    init(_ bytes: [UInt8]) {
        var limits = JSONLimits()
        limits.maxDepth = 64
        limits.maxValues = 50_000
        let text = LinkedData.unwrapped(bytes)
        // Reason for `try?`: what can't be read says nothing.
        guard let value = try? JSONValue(lenient: text, limits: limits) else { return }
        flatten(value)
        for node in nodes {
            if let id = node["@id"]?.string, byID[id] == nil || isMore(node, than: byID[id]) {
                byID[id] = node
            }
        }
        read()
    }

    /// Without the comment or CDATA section that some wrap around it.
    private static func unwrapped(_ bytes: [UInt8]) -> [UInt8] {
        guard let start = bytes.firstIndex(where: { $0 == 0x7B || $0 == 0x5B }),
            let end = bytes.lastIndex(where: { $0 == 0x7D || $0 == 0x5D }), start < end
        else { return bytes }
        // `<![CDATA[` has brackets of its own.
        if bytes[start...].starts(with: "[CDATA[".utf8) {
            guard let brace = bytes[(start + 7)...].firstIndex(of: 0x7B),
                let last = bytes.lastIndex(of: 0x7D), brace < last
            else { return bytes }
            return Array(bytes[brace...last])
        }
        return Array(bytes[start...end])
    }

    /// The outermost things, those of `@graph`, and what a page says to be about.
    private mutating func flatten(_ value: JSONValue) {
        var waiting = value.items.reversed() as [JSONValue]
        while let next = waiting.popLast(), nodes.count < LinkedData.maxNodes {
            guard case .object = next else { continue }
            nodes.append(next)
            for key in ["mainEntityOfPage", "mainEntity", "@graph"] {
                waiting += (next[key]?.items ?? []).prefix(LinkedData.maxNodes).reversed()
            }
        }
    }

    private func isMore(_ node: JSONValue, than other: JSONValue?) -> Bool {
        guard case .object(let members) = node, case .object(let before)? = other else {
            return true
        }
        return members.count > before.count
    }

    // MARK: What it is about

    private mutating func read() {
        let ranked = nodes.map { ($0, rank($0)) }
        if let top = ranked.map(\.1).max(), top > 0,
            let main = ranked.first(where: { $0.1 == top })?.0
        {
            readWork(main)
        }
        for node in nodes where types(node).contains("WebSite") {
            add(.siteName, text(node["name"]))
            add(.language, text(node["inLanguage"]))
        }
    }

    private func types(_ node: JSONValue) -> [String] {
        (node["@type"]?.items ?? []).compactMap(\.string).map { type in
            String(type.split { $0 == "/" || $0 == "#" || $0 == ":" }.last ?? "")
        }
    }

    /// How much it looks like what the page is about; 0 for what only belongs to it.
    private func rank(_ node: JSONValue) -> Int {
        types(node).map { type in
            switch type {
            case "BlogPosting", "SocialMediaPosting", "LiveBlogPosting", "Report": 3
            case _ where type.hasSuffix("Article"): 3
            case "Book", "Course", "CreativeWork", "Dataset", "Event", "HowTo", "JobPosting",
                "Movie", "MusicAlbum", "MusicRecording", "PodcastEpisode", "Product", "Recipe",
                "Review", "SoftwareApplication", "SoftwareSourceCode", "VideoObject":
                2
            case _ where type.hasSuffix("Page"): 1
            default: 0
            }
        }.max() ?? 0
    }

    private mutating func readWork(_ work: JSONValue) {
        add(.type, types(work).first)
        add(.title, text(work["headline"]) ?? text(work["name"]))
        add(.description, text(work["description"]))
        for author in (work["author"] ?? work["creator"])?.items.prefix(100) ?? [] {
            add(.author, name(author))
        }
        add(.published, text(work["datePublished"]) ?? text(work["dateCreated"]))
        add(.modified, text(work["dateModified"]))
        add(.siteName, work["publisher"]?.items.first.flatMap(name))
        add(.language, work["inLanguage"]?.items.first.flatMap { name($0, key: "alternateName") })
        add(.image, work["image"]?.items.first.flatMap(image))
        for keyword in work["keywords"]?.items.prefix(100) ?? [] {
            for word in (text(keyword) ?? "").split(separator: ",") {
                add(.keywords, String(word))
            }
        }
    }

    private mutating func add(_ name: MetadataCollector.Name, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        fields.append((name, value))
    }

    /// A string, also as `{"@value": …}` and as the first of several.
    private func text(_ value: JSONValue?) -> String? {
        guard let first = value?.items.first else { return nil }
        return first.string ?? first["@value"]?.string
    }

    private func name(_ value: JSONValue) -> String? { name(value, key: "name") }

    private func name(_ value: JSONValue, key: String) -> String? {
        if let string = value.string { return byID[string].flatMap { text($0["name"]) } ?? string }
        return text(value[key]) ?? text(value["name"])
            ?? value["@id"]?.string.flatMap { byID[$0] }.flatMap { text($0["name"]) }
    }

    private func image(_ value: JSONValue) -> String? {
        if let string = value.string { return string }
        let node = value["url"] == nil ? value["@id"]?.string.flatMap { byID[$0] } ?? value : value
        return text(node["url"]) ?? text(node["contentUrl"])
    }
}
