// docs/notices.md

import TenureFoundation
import Web

/// A notice as a message of mail: the same bytes however often it is sent.
struct MailMessage {
    let bytes: [UInt8]

    init(_ notice: Notice, for channel: String, by route: MailRoute) {
        let digest = NoticeDigest(notice)
        let fields = [
            ("From", "Tenure <\(route.sender)>"),
            ("To", "<\(route.recipient)>"),
            ("Subject", "Tenure: \(digest.subject)"),
            ("Date", MailText.date(notice.madeAt)),
            ("Message-ID", Self.id(of: notice, for: channel, from: route.sender)),
            ("Tenure-Notice", notice.id),
            // RFC 3834: nobody's absence is answered to it.
            ("Auto-Submitted", "auto-generated"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "quoted-printable"),
        ]
        let head = fields.map { "\($0.0): \(MailText.words($0.1))\r\n" }.joined()
        let text = digest.lines.joined(separator: "\n") + "\n"
        bytes = Array((head + "\r\n" + MailText.quotedPrintable(text)).utf8)
    }

    /// One for each notice and channel. A channel's name may have dots where an id may not.
    private static func id(
        of notice: Notice, for channel: String, from sender: MailAddress
    ) -> String {
        "<\(notice.id).\(channel.replacing(".", with: "="))@\(sender.domain)>"
    }
}

/// How text goes by mail, whose lines are short and of ASCII alone.
enum MailText {
    /// For a header's field: as it stands, or in words of base64 (RFC 2047) where it is not ASCII.
    static func words(_ text: String) -> String {
        let text = oneLine(text)
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var words: [[UInt8]] = [[]]
        for character in text {
            let bytes = Array(character.utf8.prefix(mostOfWord))
            if words[words.count - 1].count + bytes.count > mostOfWord { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    /// Of 75 characters, of which the frame takes 12, in base64.
    private static let mostOfWord = 45

    /// Without what would begin another line.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// RFC 5322 has the form that HTTP took from it, but for the zone.
    static func date(_ date: Date) -> String {
        // Bounded: a date in JSON has a year of four digits.
        let seconds = Int64(date.timeIntervalSince1970)
        return HTTPDate(secondsSince1970: seconds).description
            .replacing("GMT", with: "+0000")
    }

    private static let longestLine = 76

    /// RFC 2045, 6.7. A dot at a line's beginning is written as its code, so that no server takes
    /// it for the message's end.
    static func quotedPrintable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line(Array($0.utf8)) }.joined(separator: "\r\n")
    }

    private static func line(_ bytes: [UInt8]) -> String {
        var (done, line) = ("", "")
        for (index, byte) in bytes.enumerated() {
            let isLast = index == bytes.count - 1
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
            let isSpace = byte == 0x20 && !isLast
            let isDot = byte == UInt8(ascii: ".") && line.isEmpty
            let piece =
                (isPlain || isSpace) && !isDot
                ? String(UnicodeScalar(byte)) : "=\([byte].hex.uppercased())"
            // With room for the mark that the line goes on.
            if line.utf8.count + piece.utf8.count >= longestLine {
                done += line + "=\r\n"
                line = piece == "." ? "=2E" : piece
            } else {
                line += piece
            }
        }
        return done + line
    }
}
