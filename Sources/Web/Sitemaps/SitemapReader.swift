/// Walks over the tokens of a sitemap. It remembers in which entry and text it is, and no more:
/// however deep elements lie inside of one another, that costs nothing.
struct SitemapReader {
    private let limits: SitemapLimits
    private var found = Sitemap()
    private var seen: Set<String> = []
    private var isInEntry = false
    /// Of a `loc` that is open, and where it began.
    private var text: [UInt8]?
    private var position = SourcePosition(offset: 0, line: 1, column: 1)

    init(limits: SitemapLimits) { self.limits = limits }

    /// Nothing that follows would be kept.
    private(set) var isFull = false

    mutating func take(_ kind: HTMLTokenizer.Kind, _ token: inout HTMLTokenizer) {
        switch kind {
        case .startTag: startTag(&token)
        case .endTag: endTag(token)
        case .text:
            // One that is too long is cut off here, and refused at its end.
            guard let length = text?.count, length <= limits.maxURLBytes else { return }
            token.appendText(to: &text!)
        case .comment, .doctype: break
        }
    }

    private mutating func startTag(_ tag: inout HTMLTokenizer) {
        switch Self.name(tag) {
        case "urlset": found.format = found.format ?? .pages
        case "sitemapindex": found.format = found.format ?? .index
        case "url", "sitemap": isInEntry = found.format != nil
        case "loc":
            guard isInEntry, !tag.isSelfClosing else { break }
            (text, position) = ([], tag.tokenPosition())
        default: break
        }
    }

    private mutating func endTag(_ tag: borrowing HTMLTokenizer) {
        switch Self.name(tag) {
        case "loc":
            if let text { add(text) }
            text = nil
        case "url", "sitemap":
            isInEntry = false
            text = nil
        default: break
        }
    }

    /// Without the prefix that some give the sitemaps' own names. Images and videos have a `loc`,
    /// too, with theirs.
    private static func name(_ tag: borrowing HTMLTokenizer) -> String {
        let name = tag.tagName
        for prefix in ["sm:", "sitemap:"] where name.hasPrefix(prefix) {
            return String(name.dropFirst(prefix.count))
        }
        return name
    }

    private mutating func add(_ bytes: [UInt8]) {
        let written = bytes.trimmingASCIIWhitespace()
        guard !written.isEmpty else { return }
        guard written.count <= limits.maxURLBytes,
            let url = WebURL(String(decoding: written, as: UTF8.self)), url.isHTTP,
            !url.hasCredentials, url.href.utf8.count <= limits.maxURLBytes
        else {
            found.unusable += 1
            if found.unusableEntries.count < Sitemap.mostUnusableEntries {
                found.unusableEntries.append((String(decoding: written, as: UTF8.self), position))
            }
            return
        }
        let plain = url.withoutFragment
        guard seen.insert(plain.href).inserted else { return }
        guard found.urls.count < limits.maxURLs else {
            (found.isTruncated, isFull) = (true, true)
            return
        }
        found.urls.append(plain)
        found.positions.append(position)
    }

    mutating func finish(_ token: borrowing HTMLTokenizer) -> Sitemap {
        if found.format == nil { return Sitemap() }
        if !token.excess.isEmpty { found.isTruncated = true }
        return found
    }
}
