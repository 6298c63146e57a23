import Tenure

/// A notice for people: what is new, a line each.
struct NoticeDigest {
    /// Where it was found; nil where nothing was looked for.
    let site: String?
    /// What it is about, in a line.
    let subject: String
    /// The first begins with the site.
    let lines: [String]

    private static let mostLines = 20
    /// Of a URL, in characters: by then whoever reads knows which it is.
    private static let longest = 500

    init(_ notice: Notice) {
        let id = "notice \(notice.id)"
        guard notice.kind == .check else {
            (site, subject) = (nil, "a test notice")
            lines = ["Tenure: a test notice. It arrived.", id]
            return
        }
        let site = Self.short(notice.site ?? "")
        let summary = Self.summary(notice.counts)
        self.site = site
        subject = "\(site.prefix(200)): \(summary)"
        let check = notice.check.map { "check \($0), " } ?? ""
        lines = ["\(site): \(summary)"] + Self.news(notice) + ["\(check)\(id)"]
    }

    private static func news(_ notice: Notice) -> [String] {
        var lines = notice.broken.prefix(mostLines).map { news in
            let place = news.places.first.map { " on \(short($0.page)):\($0.line)" } ?? ""
            let more = news.placeCount > 1 ? ", \(news.placeCount) places" : ""
            return "broken: \(named(news.target, news.fragment)) (\(news.code))\(place)\(more)"
        }
        lines += notice.mended.prefix(mostLines).map {
            "mended: \(named($0.target, $0.fragment))"
        }
        lines += notice.changed.prefix(mostLines).map { "changed: \(short($0))" }
        let counts = notice.counts
        let left = counts.broken + counts.mended + counts.changed - lines.count
        return left > 0 ? lines + ["and \(left) more"] : lines
    }

    private static func summary(_ counts: Notice.Counts) -> String {
        let news = [
            (counts.broken, "newly broken"), (counts.mended, "mended"), (counts.changed, "changed"),
        ]
        return news.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            + "; \(counts.standing) broken in all"
    }

    private static func named(_ target: String, _ fragment: String?) -> String {
        short(fragment.map { "\(target)#\($0)" } ?? target)
    }

    /// On one line, whatever the page has there.
    private static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard
            let end = scalars.index(
                scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return PlainText.line(text) }
        return PlainText.line(String(scalars[..<end])) + "…"
    }
}
