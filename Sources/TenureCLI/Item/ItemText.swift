import Content
import Tenure
import TenureFoundation

/// An item for people.
enum ItemText {
    static func text(_ item: Item, _ last: ItemFetchRecord?) -> String {
        var sheet = Sheet()
        sheet.add("url", URLRedaction.text(item.url))
        sheet.add("id", item.id.uuidString.lowercased())
        sheet.add("outcome", outcome(item))
        sheet.add("status", item.status.map(String.init))
        if item.finalURL != item.url {
            sheet.add("final url", item.finalURL.map(URLRedaction.text))
        }
        sheet.add("moved to", item.movedTo.map(URLRedaction.text))
        sheet.add("missing since", item.missingSince.map { TimeText.full($0) })
        if item[.title] == nil { sheet.add("title", item.title.map(line)) }
        for field in item.fields { sheet.add(label(field.name), line(field)) }
        sheet.add("words", item.words == 0 ? nil : String(item.words))
        sheet.add("type", item.mediaType)
        sheet.add("charset", item.charset)
        sheet.add("bytes", item.bytes.map(String.init))
        sheet.add("sha256", item.hash)
        sheet.add("references", String(item.references))
        sheet.add("anchors", String(item.anchors))
        sheet.add("version", item.keptVersion.map(String.init))
        sheet.add("doubted", item.suspicion)
        sheet.add("candidate", item.candidate.map(line))
        sheet.add("fetched", item.fetchedAt.map { TimeText.full($0) })
        sheet.add("fresh until", item.freshUntil.map { TimeText.full($0) })
        if let last, last.outcome != .stored, let detail = last.detail {
            sheet.add("last fetch", line(detail))
        }
        return sheet.text
    }

    static func outcome(_ item: Item) -> String {
        item.outcome.rawValue + (item.code.map { " (\($0))" } ?? "")
    }

    private static func label(_ name: FieldName) -> String {
        name == .siteName ? "site name" : name.rawValue
    }

    /// The value, and who says so.
    private static func line(_ field: Item.Field) -> String {
        let whose =
            field.setBy.map { "set by \($0), \(TimeText.relative(field.setAt))" }
            ?? field.source.rawValue
        return "\(line(field.value))  [\(whose)]"
    }

    private static func line(_ candidate: Item.Candidate) -> String {
        let what =
            "\(candidate.reason): \(candidate.words) words, "
            + TimeText.relative(candidate.foundAt)
        if let whom = candidate.refusedBy { return "\(what); refused by \(line(whom))" }
        return what
            + "; take it: tenure fetch URL --force --merge replace; or: tenure item refuse URL"
    }

    /// One line of at most 200 characters, and nothing that a terminal would obey.
    private static func line(_ text: String) -> String {
        let plain = PlainText.line(text.replacing("\n", with: " "))
        return plain.count > 200 ? plain.prefix(199) + "…" : plain
    }
}

extension Terminal {
    /// For documents: what a terminal would obey is shown, and tabs are blanks.
    static func harmless(_ text: String) -> String {
        PlainText.escaped(text.replacing("\t", with: "    "))
    }
}
