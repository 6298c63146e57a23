import Web

/// What is thrown at one parser, and what must hold of its answer whatever the bytes.
///
/// `bin/test fuzz` builds this with the sources of `Web` and libFuzzer; the tests of `Web` run it
/// over the cases in `Cases`, which are what fuzzing found and a few to begin with.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case url, html, tree, feed, robots, charset, headers, json, css

    public func run(_ bytes: [UInt8]) {
        switch self {
        case .url: FuzzTarget.url(bytes)
        case .html: FuzzTarget.html(bytes)
        case .tree: FuzzTarget.tree(bytes)
        case .feed: FuzzTarget.feed(bytes)
        case .robots: FuzzTarget.robots(bytes)
        case .charset: FuzzTarget.charset(bytes)
        case .headers: FuzzTarget.headers(bytes)
        case .json: FuzzTarget.json(bytes)
        case .css: FuzzTarget.css(bytes)
        }
    }

    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Written once and read again, a URL is the same; and so it is with any part set.
    private static func url(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0x0A, maxSplits: 1).map { text($0) }
        guard let input = parts.first else { return }
        let base = parts.count > 1 ? WebURL(parts[1]) : WebURL("http://base.example/a/b?c#d")
        guard let url = WebURL(input, base: base) else { return }
        check(WebURL(url.href) == url, "\(url) is not stable")
        check(url.withoutFragment.fragment == nil, "\(url) keeps its fragment")
        _ = (url.origin, url.decodedFragment, url.effectivePort, url.host)
        for part in WebURL.Part.allCases {
            let changed = url.setting(part, to: parts.last ?? "")
            check(WebURL(changed.href)?.href == changed.href, "\(changed) is not stable")
        }
    }

    /// Tokens follow one another without a gap that isn't markup, and end.
    private static func html(_ bytes: [UInt8]) {
        let html = Array(text(bytes).utf8)
        HTMLTokenizer.scan(html, collectingErrors: true) { tokenizer in
            var last = 0
            while let kind = tokenizer.next() {
                let range = tokenizer.tokenRange
                check(range.lowerBound >= last && range.upperBound <= html.count, "\(range)")
                check(!range.isEmpty, "an empty token")
                last = range.upperBound
                check(tokenizer.tokenPosition().offset == range.lowerBound, "position")
                _ = tokenizer.token(kind)
            }
        }
        let page = WebURL("http://page.example/")!
        let found = HTMLReferences.scan(html, documentURL: page)
        check(found.references.allSatisfy { $0.position.offset <= html.count }, "position")
    }

    /// Every node is reached once, from its parent, within the depth; and what reads a tree ends.
    private static func tree(_ bytes: [UInt8]) {
        let html = Array(text(bytes).utf8)
        var limits = HTMLLimits()
        limits.maxDepth = 20
        let tree = HTMLTree(html, limits: limits)
        var reached = 0
        var node: HTMLTree.Node? = tree.root
        while let current = node, reached <= tree.nodeCount {
            reached += 1
            let range = tree.range(of: current)
            check(range.upperBound <= html.count, "\(range)")
            check(tree.position(of: current).offset == range.lowerBound, "position")
            for child in tree.children(of: current) {
                check(tree.parent(of: child) == current, "parent")
            }
            node = tree.next(after: current, in: tree.root)
        }
        check(reached == tree.nodeCount, "\(reached) of \(tree.nodeCount) nodes")
        let metadata = PageMetadata(tree, baseURL: WebURL("http://page.example/")!)
        check(metadata.title?.value.isEmpty != true, "an empty title")
        let main = MainText(tree)
        check(main == MainText(tree), "not deterministic")
    }

    private static func feed(_ bytes: [UInt8]) {
        let xml = DecodedText(bytes, isHTML: false).bytes
        let feed = Feed(xml, documentURL: WebURL("http://page.example/feed")!)
        check(feed.format != nil || feed.items.isEmpty, "items without a format")
        check(feed.items.allSatisfy { $0.position.offset <= xml.count }, "position")
    }

    private static func robots(_ bytes: [UInt8]) {
        let robots = Robots(bytes)
        let lines = bytes.split(separator: 0x0A)
        let path = "/" + text(lines.last ?? [])
        for agent in ["tenure", "*", text(lines.first ?? [])] {
            let (_, steps) = robots.policy(for: agent).judge(path: path)
            let most = RobotsPolicy.mostSteps + 4 * (path.utf8.count + bytes.count) + 4
            check(steps <= most, "\(steps) steps")
        }
        check(Robots([]).isAllowed(path: path, userAgent: "tenure"), "an empty file forbids")
    }

    /// Whatever comes in, valid UTF-8 goes out. The first byte chooses the label.
    private static func charset(_ bytes: [UInt8]) {
        let body = bytes.dropFirst()
        let labels = [
            nil, "utf-16le", "utf-16be", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "gbk",
            "big5", "euc-kr", "koi8-u", "windows-1255", "windows-1258", "macintosh", "ibm866",
            "x-user-defined", "windows-874", "iso-8859-16", "replacement", "utf-8",
        ]
        let label = labels[Int(bytes.first ?? 0) % labels.count]
        let decoded = DecodedText(Array(body), headerCharset: label)
        check(Array(text(decoded.bytes).utf8) == decoded.bytes, "not UTF-8")
    }

    private static func headers(_ bytes: [UInt8]) {
        let header = text(bytes)
        if let type = MediaType(header) {
            check(MediaType(type.description) == type, "\(type) is not stable")
        }
        if let date = HTTPDate(header) {
            check(HTTPDate(date.description) == date, "\(date) is not stable")
        }
        _ = CacheControl(header)
        if let tag = EntityTag(header) { check(EntityTag(tag.description) == tag, "\(tag)") }
        let now = HTTPDate(secondsSince1970: 1_700_000_000)
        let cached = CachedResponse(
            status: 200, requestTime: now, responseTime: now, header: { _ in header })
        check(cached.currentAge(at: now) >= .zero, "a negative age")
        _ = (cached.remainingFreshness(at: now), cached.rangeValidator)
        _ = DateText.parse(header)
        if let range = ContentRange(header), let stop = range.stop {
            check(stop > 0 && stop <= range.total ?? ByteCount.most, "\(range)")
        }
        if let count = ByteCount.parse(header) { check(count >= 0, "\(count)") }
        if let after = RetryAfter(header) {
            let delay = after.delay(from: HTTPDate(secondsSince1970: 0))
            check(delay >= .zero, "\(delay) is negative")
        }
    }

    private static func json(_ bytes: [UInt8]) {
        // Reason for `try?`: most of what is thrown at it is no JSON.
        guard let value = try? JSONValue(parsing: bytes) else { return }
        _ = value.items
        _ = value["@type"]?.string
    }

    private static func css(_ bytes: [UInt8]) {
        let sheet = Array(text(bytes).utf8)
        let found = CSSReferences.scan(sheet, sheetURL: WebURL("http://page.example/a.css")!)
        check(found.allSatisfy { $0.position.offset <= sheet.count }, "position")
    }

    static func check(_ isRight: Bool, _ message: @autoclosure () -> String) {
        precondition(isRight, message())
    }
}
