import Content
import Foundation

/// Reports that no check has made.
enum SampleReport {
    static func report(
        _ findings: String = "", ignored: String = "", ended: String = "", moved: String = "",
        site: Bool = false, isCut: Bool = false
    ) throws -> CheckReport {
        let folder = site ? "" : #""folder": "site", "#
        return try JSONDecoder().decode(
            CheckReport.self,
            from: Data(
                """
                {"check": "r", "site": "http://127.0.0.1:1/", \(folder)"pages": 2,
                 "references": 3, "targets": {"ok": 2}, "isComplete": \(!isCut),
                 "wasCancelled": \(isCut), "discardedJobs": 0, "skippedForContact": 0,
                 "unreadPages": 0, "excluded": 0, "endless": 0, "beyondLimit": 0,
                 "unaskedMail": 0, "accepted": 0,
                 "findings": [\(findings)], "ignored": [\(ignored)], "moved": [\(moved)],
                 "endedRules": [\(ended)]}
                """.utf8))
    }

    static func finding(
        _ file: String, pages: String..., text: String = "t", isConfirmed: Bool = true
    ) -> String {
        let places = pages.map {
            #"{"page": "http://127.0.0.1:1/\#($0)", "file": "\#($0)", "line": 3, "column": 4, "#
                + #""kind": "a", "raw": "\#(file)", "text": "\#(text)"}"#
        }
        return #"{"target": "http://127.0.0.1:1/\#(file)", "file": "\#(file)", "code": "404", "#
            + #""status": 404, "detail": "gone", "isConfirmed": \#(isConfirmed), "#
            + #""isHard": false, "#
            + #""places": [\#(places.joined(separator: ", "))]}"#
    }

    static func moved(
        _ from: String, to: String, at page: String = "a.html", site: Bool = false
    ) throws -> String {
        var place: [String: Any] = [
            "page": page, "line": 3, "column": 4, "kind": "anchor", "raw": from,
            "replacement": to,
        ]
        if !site { place["file"] = page }
        let link: [String: Any] = [
            "from": from, "to": to, "isConfirmed": true, "places": [place],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: link), as: UTF8.self)
    }

    static func rule(_ id: Int, reason: String = "known", until: String? = nil) -> String {
        let last = until.map { #", "until": "\#($0)""# } ?? ""
        return #"{"id": \#(id), "target": "*", "reason": "\#(reason)", "madeBy": "ada", "#
            + #""madeAt": 0, "hasEnded": \#(until != nil)\#(last)}"#
    }

    static func ignored(_ finding: String, by rule: String) -> String {
        #"{"rule": \#(rule), "finding": \#(finding)}"#
    }

    /// What pages may have said: markup, commands, ends of sections, marks that turn text round.
    static let hostile = [
        "<script>alert(1)</script>", "]]><!--", "\u{1B}[2J\u{9B}1m", "::error::x", "##[error]x",
        "\"'&amp;", "a\r\n::set-output name=x::y\n", "\u{202E}txt.exe\u{2066}", "100%25%0A,:;",
        "{0} [link](javascript:alert(1))", "\u{FFFE}\u{0}", "=cmd|' /C calc'!A0",
        "javascript:alert(1)", "e\u{301}\u{301}", String(repeating: "x", count: 100_000),
    ]

    /// A finding each, on pages of the site or in files of a folder, with such a text wherever one
    /// can be.
    static func hostileReport(site: Bool = false) throws -> CheckReport {
        let findings = try hostile.enumerated().map { index, text in
            var place: [String: Any] = [
                "page": "https://site.test/\(text)", "line": index, "column": 1, "kind": "anchor",
                "raw": text, "text": text,
            ]
            var finding: [String: Any] = [
                "target": "https://site.test/?\(text)", "code": index == 1 ? text : "404",
                "detail": text, "fragment": text, "isConfirmed": index % 3 != 0,
                "isHard": index % 2 == 0,
            ]
            if !site { (place["file"], finding["file"]) = (text, text) }
            finding["places"] = [place, place]
            return String(
                decoding: try JSONSerialization.data(withJSONObject: finding), as: UTF8.self)
        }
        let reason = try JSONSerialization.data(
            withJSONObject: String(hostile.joined().prefix(900)), options: .fragmentsAllowed)
        let quoted = String(decoding: reason, as: UTF8.self).dropFirst().dropLast()
        return try report(
            findings.joined(separator: ","),
            ignored: ignored(findings[0], by: rule(1, reason: String(quoted))),
            ended: rule(2, reason: String(quoted), until: "2026-01-31"),
            moved: hostile.map { try moved($0, to: $0, at: $0, site: site) }
                .joined(separator: ","),
            site: site)
    }
}
