import Web

/// Takes out of URLs what may be a secret: the user and password in them, and the values of query
/// and fragment parameters whose names speak of one.
///
/// What is fetched needs the whole URL, so items and targets have it. Whatever tells of a fetch
/// (keys, errors, the table of fetches, the command line) has this form.
public enum URLRedaction {
    static let mark = "…"

    /// A URL, or any text with URLs in it.
    public static func text(_ text: String) -> String {
        // Most URLs hold none: every job's key passes here.
        guard text.utf8.contains(where: { "?#@;".utf8.contains($0) }) else { return text }
        var shown = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            shown += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let url = rest.prefix { !isEnd($0) }
            shown += redacted(url)
            rest = rest[url.endIndex...]
        }
        return shown + rest
    }

    /// What a page has for a URL, which may begin anywhere in one: `?token=…`.
    public static func reference(_ raw: String) -> String {
        if raw.contains("://") { return text(raw) }
        let path = raw.prefix { !"?#;".contains($0) }
        return path + withoutSecrets(raw[path.endIndex...])
    }

    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || "\"'<>`\\".contains(character)
    }

    /// What stands behind `://`.
    private static func redacted(_ url: Substring) -> String {
        let authority = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let host = authority.lastIndex(of: "@").map { mark + authority[$0...] } ?? String(authority)
        var rest = url[authority.endIndex...]
        let path = rest.prefix { $0 != "?" && $0 != "#" && $0 != ";" }
        rest = rest[path.endIndex...]
        return host + path + withoutSecrets(rest)
    }

    /// Parameters, each behind what separates it from what comes before.
    private static func withoutSecrets(_ parameters: Substring) -> String {
        var rest = parameters
        var shown = ""
        while let separator = rest.first {
            rest = rest.dropFirst()
            let part = rest.prefix { !"?#&;".contains($0) }
            shown += String(separator) + parameter(part)
            rest = rest[part.endIndex...]
        }
        return shown
    }

    private static func parameter(_ part: Substring) -> String {
        guard let equals = part.firstIndex(of: "="), isSecret(part[..<equals]),
            // Done already: what comes behind the mark is no part of the URL.
            !part[part.index(after: equals)...].hasPrefix(mark)
        else { return String(part) }
        return part[...equals] + mark
    }

    /// Names are compared without case and without what separates their words.
    static func speaksOfSecret(_ name: String) -> Bool { isSecret(name[...]) }

    private static func isSecret(_ name: Substring) -> Bool {
        let decoded = name.percentDecoded
        let plain = decoded.lowercased().filter { $0.isLetter || $0.isNumber }
        return exact.contains(plain) || parts.contains { plain.contains($0) }
    }

    private static let parts = [
        "token", "secret", "password", "passwd", "signature", "apikey", "accesskey", "credential",
        "session", "jwt", "bearer", "privatekey", "authorization",
    ]
    private static let exact: Set = [
        "auth", "code", "hmac", "key", "pass", "pin", "pw", "pwd", "sid", "sig", "state", "ticket",
    ]
}
