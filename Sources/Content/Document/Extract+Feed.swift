import TenureFoundation
import Web

extension Extract {
    /// A feed's entries are what it refers to. XML that is no feed says nothing.
    mutating func readFeed(
        _ document: FetchedDocument, _ body: [UInt8], _ limits: HTMLLimits
    ) {
        let text = DecodedText(body, headerCharset: document.mediaType?.charset, isHTML: false)
        page.charset = text.charset.name
        var most = FeedLimits()
        most.maxItems = min(most.maxItems, limits.maxReferences)
        most.maxDepth = min(most.maxDepth, limits.maxDepth)
        let feed = Feed(text.bytes, documentURL: document.url, limits: most)
        guard feed.format != nil else { return }
        page.isComplete = !feed.isTruncated
        page.title = feed.title.map(\.storable)
        page.edges = feed.items.compactMap { entry in
            entry.link.map { Edge(entry: entry.title, at: entry.position, to: $0) }
        }
        fill(.title, feed.title, .feed)
        fill(.siteName, feed.title, .feed)
        fill(.description, feed.description, .feed)
        fill(.language, feed.language, .feed)
        let newest = feed.items.compactMap { $0.updated ?? $0.published }.max()
        fill(.modified, (feed.updated ?? newest).map { DateTimeText.text($0) }, .feed)
        let lines = feed.items.map { entry in
            [entry.title, entry.link?.href].compactMap { $0 }.joined(separator: "\n")
        }
        let all = lines.joined(separator: "\n\n")
        words = WordCount.count(feed.items.compactMap(\.title).joined(separator: "\n"))
        fill(.text, all, .feed)
        fill(.excerpt, feed.items.first?.title, .feed)
    }
}

/// Points in time as fields have them: `2026-11-21T10:46:36Z`.
enum DateTimeText {
    static func text(_ date: HTTPDate) -> String {
        Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970)).formatted(.iso8601)
    }

    static func isValid(_ text: String) -> Bool {
        // Reason for `try?`: whether it throws is the question.
        (try? Date(text, strategy: .iso8601)) != nil
    }
}
