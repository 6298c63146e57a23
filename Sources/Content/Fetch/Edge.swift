import Web

/// A reference as it is stored.
struct Edge: Sendable {
    /// Why there is no target to look at.
    enum Problem {
        static let scheme = "scheme"
        static let credentials = "userinfo in the URL"
        static let tooLong = "longer than 8192 bytes"
    }

    static let longestURL = 8 << 10
    private static let longestText = 2000

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
        raw = Self.storable(reference.raw)
        words = reference.text.map(Self.storable)
        switch reference.target {
        case .failure(let error): problem = error.reason.rawValue
        case .success(let url): take(url)
        }
    }

    /// What an entry of a feed stands for.
    init(entry: Feed.Item, at link: WebURL) {
        kind = "entry"
        strength = Reference.Strength.soft.rawValue
        line = entry.position.line
        column = entry.position.column
        raw = Self.storable(link.href)
        words = entry.title.map(Self.storable)
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
        guard url.href.utf8.count <= Self.longestURL else {
            problem = Problem.tooLong
            return
        }
        target = url.withoutFragment
        guard let written = url.fragment, let decoded = url.decodedFragment else { return }
        let name = Self.withoutDirective(decoded)
        guard Self.namesAnAnchor(name) else { return }
        fragment = Self.storable(name)
        let plain = Self.withoutDirective(written)
        if plain != name { rawFragment = Self.storable(plain) }
    }

    /// What comes after `:~:` is for the browser.
    private static func withoutDirective(_ fragment: String) -> String {
        guard let directive = fragment.firstRange(of: ":~:") else { return fragment }
        return String(fragment[..<directive.lowerBound])
    }

    /// The top of a document needs no anchor, and a script's routes have none.
    private static func namesAnAnchor(_ fragment: String) -> Bool {
        !fragment.isEmpty && fragment.lowercased() != "top" && !fragment.hasPrefix("!")
            && !fragment.hasPrefix("/")
    }

    /// As PostgreSQL takes it, and not longer than anybody reads.
    static func storable(_ text: String) -> String {
        let short = text.utf8.count > longestText ? String(text.prefix(longestText)) : text
        return short.utf8.contains(0) ? short.replacing("\0", with: "\u{FFFD}") : short
    }
}
