import Web

/// Whether something is in a document, as far as can be told.
enum PlaceVerdict: String, Sendable {
    case found, missing
    /// The document wasn't read to its end, or a script makes what is looked for.
    case unclear
}

/// Looks for what links say is in a page. Reads of it what it has to, once.
struct PlaceJudge {
    private let document: FetchedDocument
    private let isWhole: Bool
    private var anchors: (names: Set<[UInt8]>, isWhole: Bool)?
    private var text: VisibleText?

    /// - Parameter isWhole: whether all of the document has come.
    init(_ document: FetchedDocument, isWhole: Bool) {
        (self.document, self.isWhole) = (document, isWhole)
    }

    mutating func verdict(on place: WantedPlace) -> PlaceVerdict {
        guard document.body != nil else { return .unclear }
        return place.isText ? verdict(onText: place.name) : verdict(onFragment: place)
    }

    private mutating func verdict(onText name: String) -> PlaceVerdict {
        // What can't be read as a passage, no browser looks for.
        guard let wanted = TextDirective.all(in: name) else { return .missing }
        let text = readText()
        return wanted.allSatisfy(text.has) ? .found : isWhole ? .missing : .unclear
    }

    private mutating func verdict(onFragment place: WantedPlace) -> PlaceVerdict {
        let (names, isComplete) = readAnchors()
        let wanted = [place.name, place.raw].compactMap(\.self)
        // Forges put this before the names that their pages' links have, and their scripts know.
        let aliases = wanted.flatMap { name in
            [name, "user-content-" + name, "user-content-" + name.lowercased()]
        }
        if aliases.contains(where: { names.contains(Array($0.utf8)) }) { return .found }
        // One without any is made by a script, and so are its anchors.
        guard isComplete, !names.isEmpty, !ScriptFragment.isOne(place.name, of: document.url) else {
            return .unclear
        }
        return .missing
    }

    private mutating func readAnchors() -> (names: Set<[UInt8]>, isWhole: Bool) {
        if let anchors { return anchors }
        let decoded = decoded()
        var limits = HTMLLimits()
        limits.maxTokens = 2_000_000
        let scan = HTMLReferences.scan(decoded.bytes, documentURL: document.url, limits: limits)
        // References that were cut off say nothing of anchors.
        let excess = scan.excess.subtracting(.references)
        let read = (
            names: Set(scan.anchors.map { Array($0.name.utf8) }), isWhole: isWhole && excess.isEmpty
        )
        anchors = read
        return read
    }

    private mutating func readText() -> VisibleText {
        if let text { return text }
        let bytes = decoded().bytes
        let isPage = DocumentKind(document.mediaType, document.body ?? []).isPage
        let read = isPage ? VisibleText(html: bytes) : VisibleText(plain: bytes)
        text = read
        return read
    }

    private func decoded() -> DecodedText {
        DecodedText(
            document.body ?? [], headerCharset: document.mediaType?.charset, isHTML: true)
    }
}

/// Fragments that no document has, and the scripts of its host know.
enum ScriptFragment {
    private static let hosts: Set<String> = ["github.com", "gist.github.com", "gitlab.com"]

    /// Lines of a file, `#L10` and `#L10C3-L12C8`, and what is loaded when it is looked for.
    static func isOne(_ name: String, of url: WebURL) -> Bool {
        guard let host = url.host, hosts.contains(host) else { return false }
        let isLines =
            name.first == "L" && name.dropFirst().first?.isNumber == true
            && name.allSatisfy { $0.isNumber || $0 == "L" || $0 == "C" || $0 == "-" }
        let loaded = ["diff-", "discussion", "issuecomment-", "pullrequestreview-", "note_"]
        return isLines || name == "readme"
            || loaded.contains { name.hasPrefix($0) && name.last?.isNumber == true }
            || name.hasPrefix("diff-")
    }
}

extension DocumentKind {
    fileprivate var isPage: Bool { if case .page = self { true } else { false } }
}
