import Web

/// How a document is read.
enum DocumentKind: Sendable {
    case page, sheet, markdown
    /// A feed, perhaps.
    case xml
    case text, other

    init(_ type: MediaType?, _ body: [UInt8]) {
        guard let type else {
            self = Self.looksLikePage(body) ? .page : .other
            return
        }
        if type.isHTML {
            self = .page
        } else if type.essence == "text/css" {
            self = .sheet
        } else if type.isMarkdown {
            self = .markdown
        } else if type.essence.hasSuffix("+xml") || type.essence.hasSuffix("/xml") {
            self = .xml
        } else {
            self = type.essence == "text/plain" ? .text : .other
        }
    }

    /// Without a Content-Type, as browsers tell a page (MIME Sniffing standard, section 7.1, the
    /// tags that pages begin with).
    private static func looksLikePage(_ body: [UInt8]) -> Bool {
        let start = body.prefix(512).drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(16)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return ["<!doctype html", "<html", "<head", "<body", "<title"].contains {
            text.hasPrefix($0)
        }
    }
}
