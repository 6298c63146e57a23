// docs/notices.md

import FoundationEssentials
import HTTPTransport

/// A notice as a channel gets it.
struct NoticeMessage: Sendable {
    let body: [UInt8]
    var headers: HTTPHeaders

    private init(_ body: [UInt8], notice: String) {
        self.body = body
        headers = [
            "Content-Type": "application/json", "Tenure-Notice": notice,
        ]
    }

    /// The JSON itself, signed with the time of sending.
    static func webhook(_ body: [UInt8], notice: UUID, secret: String?, at time: Date) -> Self {
        var message = Self(body, notice: notice.uuidString.lowercased())
        if let secret {
            message.headers["Tenure-Signature"] = signature(of: body, secret: secret, at: time)
        }
        return message
    }

    /// `t=<unix time>,v1=<hex of HMAC-SHA256 over "<time>.<body>">`.
    static func signature(of body: [UInt8], secret: String, at time: Date) -> String {
        // Bounded: the clock's seconds.
        let seconds = Int64(time.timeIntervalSince1970)
        let signed = HMAC.sha256(Array("\(seconds).".utf8) + body, key: Array(secret.utf8))
        return "t=\(seconds),v1=\(signed.hex)"
    }

    /// Slack's form: one text, in which three characters mean something.
    static func slack(_ notice: Notice) throws -> Self {
        let body = try JSONEncoder().encode(["text": text(notice)])
        return Self(Array(body), notice: notice.id)
    }

    private static let mostLines = 20

    /// For people: what is new, a line each.
    static func text(_ notice: Notice) -> String {
        guard notice.kind == .check else {
            return "Tenure: a test notice. It arrived.\nnotice \(notice.id)"
        }
        let counts = notice.counts
        var lines = ["*\(escaped(notice.site ?? ""))*: \(summary(counts))"]
        lines += notice.broken.prefix(mostLines).map { news in
            let place = news.places.first.map { " on \($0.page):\($0.line)" } ?? ""
            let more = news.placeCount > 1 ? ", \(news.placeCount) places" : ""
            return "broken: \(escaped(named(news.target, news.fragment))) "
                + escaped("(\(news.code))\(place)\(more)")
        }
        lines += notice.mended.prefix(mostLines).map {
            "mended: \(escaped(named($0.target, $0.fragment)))"
        }
        lines += notice.changed.prefix(mostLines).map { "changed: \(escaped($0))" }
        let shown = [notice.broken.count, notice.mended.count, notice.changed.count]
            .map { min($0, mostLines) }.reduce(0, +)
        let left = counts.broken + counts.mended + counts.changed - shown
        if left > 0 { lines.append("and \(left) more") }
        let check = notice.check.map { "check \($0), " } ?? ""
        return (lines + ["\(check)notice \(notice.id)"]).joined(separator: "\n")
    }

    private static func summary(_ counts: Notice.Counts) -> String {
        let news = [
            (counts.broken, "newly broken"), (counts.mended, "mended"), (counts.changed, "changed"),
        ]
        return news.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            + "; \(counts.standing) broken in all"
    }

    private static func named(_ target: String, _ fragment: String?) -> String {
        fragment.map { "\(target)#\($0)" } ?? target
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\n", with: " ")
    }
}
