extension String {
    /// The URL without userinfo, query and fragment: the parts that carry secrets.
    var redactedURL: String {
        var rest = onOneLine[...]
        var shown = ""
        if let scheme = rest.firstRange(of: "://") {
            shown = String(rest[..<scheme.upperBound])
            rest = rest[scheme.upperBound...]
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        let path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        let hasQuery = rest[path.endIndex...].first == "?"
        return shown + host + path + (hasQuery ? "?…" : "")
    }

    /// Without control characters: it can't forge a second log line.
    var onOneLine: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
