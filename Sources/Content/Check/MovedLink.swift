import TenureFoundation
import Web

/// A target that redirects for good, with what to write instead at every place.
public struct MovedLink: Sendable, Hashable, Codable {
    public struct Place: Sendable, Hashable, Codable {
        public let page: String
        public let file: String?
        public let line: Int
        public let column: Int
        public let kind: String
        /// As it is written there,
        public let raw: String
        /// and as it should be.
        public let replacement: String
    }

    public let from: String
    public let to: String
    /// The files they would be, if the site is a folder.
    public let fromFile: String?
    public let toFile: String?
    /// False for a foreign one that was seen to redirect for the first time.
    public let isConfirmed: Bool
    public let places: [Place]

    /// Rows of one target are one; in the order of their targets.
    static func group(_ rows: [FoundPlace], _ check: StartedCheck) -> [MovedLink] {
        let files = FileNames(check)
        return Dictionary(grouping: rows, by: \.target).values
            .compactMap { MovedLink($0, files) }.sorted { $0.from < $1.from }
    }

    private init?(_ rows: [FoundPlace], _ files: FileNames) {
        guard let first = rows.first, let goal = first.detail, let to = WebURL(goal) else {
            return nil
        }
        from = URLRedaction.text(first.target)
        self.to = URLRedaction.text(goal)
        (fromFile, toFile) = (files.name(of: first.target), files.name(of: goal))
        isConfirmed = first.state != .suspect
        var seen: Set<Place> = []
        places = rows.compactMap { row in
            guard let page = row.page, let url = WebURL(page) else { return nil }
            let file = files.name(of: page)
            let place = Place(
                page: file ?? URLRedaction.text(page), file: file, line: row.line,
                column: row.column, kind: row.kind, raw: URLRedaction.reference(row.raw),
                replacement: URLRedaction.reference(
                    Replacement.text(for: row.raw, on: url, leadingTo: to)))
            // A file that is reached by several URLs needs mending once.
            return seen.insert(place).inserted ? place : nil
        }
    }
}

/// How a reference is written that leads elsewhere, in the way that it was written.
enum Replacement {
    static func text(for raw: String, on page: WebURL, leadingTo target: WebURL) -> String {
        let fragment = raw.firstIndex(of: "#").map { String(raw[$0...]) } ?? ""
        let written = raw.drop { $0.isWhitespace }
        guard WebURL(raw) == nil, !written.hasPrefix("//"), page.origin == target.origin else {
            return target.href + fragment
        }
        let query = target.query.map { "?\($0)" } ?? ""
        let path = written.hasPrefix("/") ? target.path : relative(target.path, to: page.path)
        return path + query + fragment
    }

    /// A path as seen from the folder of another.
    private static func relative(_ path: String, to page: String) -> String {
        let from = page.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let to = path.split(separator: "/", omittingEmptySubsequences: false)
        var common = 0
        while common < from.count, common < to.count - 1, from[common] == to[common] { common += 1 }
        let up = Array(repeating: "..", count: from.count - common)
        let text = (up + to[common...].map { String($0) }).joined(separator: "/")
        // A colon in the first segment would make it a scheme; nothing at all, the page itself.
        let first = text.prefix { $0 != "/" }
        return text.isEmpty || first.contains(":") ? "./" + text : text
    }
}
