/// Which attribute of which element refers to something, and to what.
enum ReferenceRules {
    static func kind(
        _ element: HTMLElement, _ attribute: HTMLAttributeName, _ tag: borrowing HTMLTokenizer
    ) -> Reference.Kind? {
        if tag.isForeign {
            return attribute == .href || attribute == .xlinkHref ? svgHref(element) : nil
        }
        return switch attribute {
        case .href: href(element, tag)
        case .src: src(element, tag)
        case .action: element == .form ? .form : nil
        case .formaction: .form
        case .data: element == .object ? .object : nil
        case .poster: element == .video ? .image : nil
        case .background: hasBackground(element) ? .image : nil
        case .content: element == .meta && isRefresh(tag) ? .metaRefresh : nil
        case .srcset: element == .img || element == .source ? .srcset : nil
        case .imagesrcset: element == .link ? .srcset : nil
        default: nil
        }
    }

    private static func href(
        _ element: HTMLElement, _ tag: borrowing HTMLTokenizer
    ) -> Reference.Kind? {
        switch element {
        case .a: .anchor
        case .area: .area
        case .link: linkKind(rel: tag.value(.rel) ?? "", type: tag.value(.type) ?? "")
        default: nil
        }
    }

    private static func svgHref(_ element: HTMLElement) -> Reference.Kind? {
        switch element {
        case .a: .anchor
        case .image, .feImage, .use: .image
        case .script: .script
        default: nil
        }
    }

    private static func src(
        _ element: HTMLElement, _ tag: borrowing HTMLTokenizer
    ) -> Reference.Kind? {
        switch element {
        // A tree builder takes `image` for a misspelt `img`.
        case .img, .image: .image
        case .script: isScript(type: tag.value(.type) ?? "") ? .script : nil
        // With a srcdoc, the src is never loaded.
        case .iframe: tag.value(.srcdoc) == nil ? .iframe : nil
        case .frame: .iframe
        case .video: .video
        case .audio: .audio
        case .source: .source
        case .track: .track
        case .embed: .embed
        case .input: tag.value(.type)?.lowercased() == "image" ? .image : nil
        default: nil
        }
    }

    /// A `link` may say several things; the one that loads something comes first. One without
    /// a `rel` (some have only a `rev`) is no link at all.
    static func linkKind(rel: String, type: String) -> Reference.Kind? {
        let words = rel.utf8.split(whereSeparator: \.isASCIIWhitespace).map {
            String(decoding: $0.map(\.asciiLowercased), as: UTF8.self)
        }
        if words.isEmpty { return nil }
        if words.contains("stylesheet") { return .stylesheet }
        if words.contains("canonical") { return .canonical }
        if words.contains(where: { $0.hasSuffix("icon") || $0.hasPrefix("apple-touch-") }) {
            return .icon
        }
        if words.contains("alternate") { return isFeed(type) ? .feed : .alternate }
        if words.contains("feed") { return .feed }
        if words.contains("manifest") { return .manifest }
        if words.contains(where: { ["preload", "modulepreload", "prefetch"].contains($0) }) {
            return .preload
        }
        // These name a host to connect to, not something to fetch.
        if words.contains(where: { $0 == "preconnect" || $0 == "dns-prefetch" }) { return nil }
        return .link
    }

    private static func isFeed(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.hasPrefix("application/rss+xml") || type.hasPrefix("application/atom+xml")
            || type.hasPrefix("application/feed+json")
    }

    /// A script of a type that no browser runs is a block of data, and its src is not loaded.
    private static func isScript(type: String) -> Bool {
        let type = type.lowercased()
        return type.isEmpty || type == "module"
            || ["javascript", "ecmascript", "jscript", "livescript"].contains { type.contains($0) }
    }

    private static func isRefresh(_ tag: borrowing HTMLTokenizer) -> Bool {
        tag.value(.httpEquiv)?.lowercased() == "refresh"
    }

    private static func hasBackground(_ element: HTMLElement) -> Bool {
        switch element {
        case .body, .table, .tbody, .thead, .tfoot, .tr, .td, .th: true
        default: false
        }
    }
}
