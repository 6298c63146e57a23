// docs/notices.md

import HTTPTransport
import TenureFoundation

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

    /// The first line tells where, in bold.
    static func text(_ notice: Notice) -> String {
        let digest = NoticeDigest(notice)
        var lines = digest.lines.map(escaped)
        if let site = digest.site.map(escaped) {
            lines[0] = "*\(site)*" + lines[0].dropFirst(site.count)
        }
        return lines.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
