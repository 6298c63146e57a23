import HTTPTransport
import TenureFoundation
import Web

/// What one check is to begin at: pages of a folder that is served, and URLs.
public struct CheckInputs: Sendable {
    /// What somebody named: a URL, a folder, a list of both.
    public struct Named: Sendable {
        public let name: String
        public var urls: [String] = []
        /// Where in it each of its URLs stands, of a list or a sitemap; from 1.
        public var lines: [Int] = []
        /// Of the served folder's documents, as paths of URLs.
        public var paths: [String] = []
        /// Its URLs were not named themselves: rules may leave them out, as they may files.
        public var isList = false

        public init(_ name: String) { self.name = name }
    }

    public var named: [Named] = []
    /// A folder, and the URL that it is served at, with a slash at its end.
    public var served: (folder: SiteFolder, url: String)?
    /// Folders of the served one whose pages are followed, as paths of URLs with a slash at both
    /// ends.
    public var folders: [String] = []
    /// Every page below the folders of the URLs is checked, and not they alone.
    public var followsURLs = false
    /// It is one URL or one folder, and nothing else.
    public var isSingle = false

    /// Pages that a check begins at, at most.
    public static let mostPages = CheckReach.mostPages

    public init() {}

    /// That a URL can be checked.
    /// - Throws: `ContentError` with `.refusedURL`, one line.
    public static func requireURL(_ text: String) throws { _ = try CheckableURL.parse(text) }

    /// Where a check begins, and what it visits first, each URL once.
    struct Plan {
        let start: WebURL
        let pages: [GivenPage]
        /// Of which somebody may be the owner.
        let outside: [WebURL]
        let reach: CheckReach
    }

    /// - Throws: `ContentError` with `.badFolder`, `.refusedURL` or `.badOption`.
    func plan(_ options: SiteCheckOptions) throws -> Plan {
        let root = try served.map { try CheckableURL.parse($0.url) }
        let filter = RuleFilter(options.rules, root: root?.href)
        var seen: Set<String> = []
        var pages: [GivenPage] = []
        var inputs: [CheckInput] = []
        for input in named {
            let before = pages.count
            let files = input.paths.compactMap { path in root.flatMap { WebURL(path, base: $0) } }
            let urls = try input.urls.map { try CheckableURL.parse($0) }
            let lines = input.lines.map { GivenLine(list: input.name, line: $0) }
            let given =
                files.map { (GivenPage(url: $0), true) }
                + urls.enumerated().map { index, url in
                    let line = lines.indices.contains(index) ? lines[index] : nil
                    return (GivenPage(url: url, line: line), input.isList)
                }
            for (page, isFound) in given {
                if isFound, filter.excludes(page.url.href, isGiven: true) { continue }
                if seen.insert(page.url.href).inserted { pages.append(page) }
            }
            inputs.append(CheckInput(name: input.name, pages: pages.count - before))
        }
        guard let first = pages.first else { throw nothing() }
        guard pages.count <= Self.mostPages else {
            throw ContentError(
                .badOption,
                "a check begins at \(Self.mostPages) pages at most, and here are \(pages.count); "
                    + "check them in parts")
        }
        let outside = pages.map(\.url).filter { $0.origin != root?.origin }
        let start = root ?? first.url
        let reach = try reach(of: inputs, from: start, outside)
        return Plan(start: start, pages: pages, outside: outside, reach: reach)
    }

    /// What a sitemap names.
    public struct SitemapList: Sendable {
        public let urls: [String]
        /// Of each.
        public let lines: [Int]
        /// Entries that are no `http` or `https` URL.
        public let unusable: Int
    }

    /// Reads one; nil for what is no sitemap.
    /// - Parameter bytes: of the file, which may be packed with gzip.
    /// - Throws: `ContentError` with `.badOption` for one that can't be read, or not whole.
    public static func sitemap(_ bytes: [UInt8]) throws -> SitemapList? {
        let sitemap: Sitemap
        do {
            sitemap = try SitemapFile.read(bytes, charset: nil)
        } catch {
            throw ContentError(.badOption, error.description)
        }
        guard sitemap.format != nil else { return nil }
        guard !sitemap.isTruncated else {
            throw ContentError(
                .badOption, "it has more than \(sitemap.urls.count) URLs; give it in parts")
        }
        return SitemapList(
            urls: sitemap.urls.map(\.href), lines: sitemap.positions.map(\.line),
            unusable: sitemap.unusable)
    }

    private func nothing() -> ContentError {
        let place = served?.folder.path ?? named.first?.name ?? "what was named"
        return ContentError(
            .badFolder,
            named.allSatisfy { $0.paths.isEmpty && $0.urls.isEmpty }
                ? "\(place) has no HTML documents, and no Markdown at its top"
                : "\(place) has no document that the rules don't exclude")
    }

    private func reach(
        of inputs: [CheckInput], from start: WebURL, _ outside: [WebURL]
    ) throws -> CheckReach {
        var origins = Set(outside.map(\.origin))
        origins.remove(start.origin)
        var insides = served == nil ? [] : folders.map { start.origin + $0 }
        if followsURLs { insides += outside.map { Scope(start: $0).insidePrefix } }
        let reach = CheckReach(
            inputs: inputs, origins: origins.sorted(), insides: Self.outermost(insides),
            isSeveral: !isSingle)
        guard reach.insides.count <= CheckReach.mostInsides else {
            throw ContentError(
                .badOption,
                "--site follows \(CheckReach.mostInsides) folders at most, and here are "
                    + "\(reach.insides.count); leave --site out, or check them in parts")
        }
        return reach
    }

    /// Those that lie in no other.
    private static func outermost(_ prefixes: [String]) -> [String] {
        prefixes.sorted().reduce(into: []) { kept, prefix in
            if let last = kept.last, prefix.hasPrefix(last) { return }
            kept.append(prefix)
        }
    }
}
