import Web

/// A reference as it is stored.
struct Edge: Sendable {
    /// Why there is no target to look at.
    enum Problem {
        static let scheme = "scheme"
        static let credentials = "userinfo in the URL"
        static let notForSitemaps = "no http or https URL, whole as sitemaps need it"
        static let tooLong = "longer than \(CheckableURL.longest) bytes"
    }

    let kind: String
    let strength: String
    let line: Int
    let column: Int
    let raw: String
    let words: String?
    var target: WebURL?
    var fragment: String?
    var rawFragment: String?
    var problem: String?

    init(_ reference: Reference) {
        kind = reference.kind.rawValue
        strength = reference.strength.rawValue
        line = reference.position.line
        column = reference.position.column
        raw = reference.raw.storable
        words = reference.text.map(\.storable)
        switch reference.target {
        case .failure(let error): problem = error.reason.rawValue
        case .success(let url): take(url)
        }
    }

    /// A page that a sitemap names, or another sitemap.
    init(located url: WebURL, at position: SourcePosition) {
        kind = "loc"
        strength = Reference.Strength.soft.rawValue
        line = position.line
        column = position.column
        raw = url.href.storable
        words = nil
        take(url)
    }

    /// What a sitemap names that is no page's URL.
    init(unusable written: String, at position: SourcePosition) {
        kind = "loc"
        strength = Reference.Strength.soft.rawValue
        line = position.line
        column = position.column
        raw = written.storable
        words = nil
        problem =
            WebURL(written)?.hasCredentials ?? false ? Problem.credentials : Problem.notForSitemaps
    }

    /// What an entry of a feed stands for.
    init(entry title: String?, at position: SourcePosition, to link: WebURL) {
        kind = "entry"
        strength = Reference.Strength.soft.rawValue
        line = position.line
        column = position.column
        raw = link.href.storable
        words = title.map(\.storable)
        take(link)
    }

    private mutating func take(_ url: WebURL) {
        guard url.isHTTP else {
            problem = Problem.scheme
            return
        }
        guard !url.hasCredentials else {
            problem = Problem.credentials
            return
        }
        guard url.href.utf8.count <= CheckableURL.longest else {
            problem = Problem.tooLong
            return
        }
        target = url.withoutFragment
        guard let written = url.fragment, let decoded = url.decodedFragment else { return }
        let name = Self.withoutDirective(decoded)
        guard Self.namesAnAnchor(name) else { return }
        fragment = name.storable
        let plain = Self.withoutDirective(written)
        if plain != name { rawFragment = plain.storable }
    }

    /// What comes after `:~:` is for the browser.
    private static func withoutDirective(_ fragment: String) -> String {
        // Hardly any has one, and looking for a byte costs next to nothing.
        guard fragment.utf8.contains(UInt8(ascii: "~")),
            let directive = fragment.firstRange(of: ":~:")
        else { return fragment }
        return String(fragment[..<directive.lowerBound])
    }

    /// The top of a document needs no anchor, and a script's routes have none.
    private static func namesAnAnchor(_ fragment: String) -> Bool {
        guard let first = fragment.utf8.first else { return false }
        if fragment.utf8.count == 3, fragment.lowercased() == "top" { return false }
        // Most begin with a letter.
        let isRoute = first == UInt8(ascii: "!") || first == UInt8(ascii: "/")
        return !isRoute || !fragment.hasPrefix("!") && !fragment.hasPrefix("/")
    }
}
