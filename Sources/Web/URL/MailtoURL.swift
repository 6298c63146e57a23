/// The addresses of a `mailto:` URL (RFC 6068): those before the `?`, and those of `to`, `cc` and
/// `bcc` behind it.
public struct MailtoURL: Sendable {
    public struct Address: Sendable, Hashable {
        /// Decoded.
        public let text: String
        /// What mail for it is sent to, in ASCII; nil for one that is no address, and for a
        /// machine's (`[192.0.2.1]`).
        public let domain: String?
        /// Why it is none, in a few words.
        public let problem: String?
    }

    public let addresses: [Address]

    /// Nil for another scheme.
    public init?(_ url: WebURL) {
        guard url.scheme == "mailto" else { return nil }
        var lists = [Substring(url.path)]
        for field in (url.query ?? "").split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            if ["to", "cc", "bcc"].contains(parts[0].lowercased()) { lists.append(parts[1]) }
        }
        let found = lists.flatMap { list in
            // A comma of an address itself is written %2C.
            list.split(separator: ",", omittingEmptySubsequences: !list.contains(",")).map {
                Address($0.percentDecoded)
            }
        }
        // One with a subject alone is for whoever writes the mail to fill in.
        let isForm = (url.query ?? "").contains("=") && lists.count == 1
        addresses = found.isEmpty && !isForm ? [Address("")] : found
    }
}

extension MailtoURL.Address {
    init(_ text: String) {
        self.text = text
        guard let at = text.lastIndex(of: "@") else {
            domain = nil
            problem = text.isEmpty ? "an address is missing" : "\"\(text.prefix(100))\" has no @"
            return
        }
        let local = text[..<at]
        let host = text[text.index(after: at)...]
        if let wrong = Self.problem(ofLocal: local) {
            (domain, problem) = (nil, wrong)
            return
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            (domain, problem) = (nil, nil)
            return
        }
        domain = Self.ascii(host)
        problem = domain == nil ? "\"\(host.prefix(100))\" is no domain" : nil
    }

    /// RFC 5321, section 4.1.2, with letters of any script (RFC 6531).
    private static func problem(ofLocal local: Substring) -> String? {
        if local.isEmpty { return "nothing stands before its @" }
        if local.utf8.count > 64 { return "more than 64 bytes stand before its @" }
        if local.utf8.count >= 2, local.hasPrefix("\""), local.hasSuffix("\"") { return nil }
        if local.hasPrefix(".") || local.hasSuffix(".") || local.contains("..") {
            return "a dot stands where none may, before its @"
        }
        let wrong = local.unicodeScalars.first { scalar in
            let isWord =
                scalar.value >= 0x80 || scalar.properties.isAlphabetic
                || scalar.properties.numericType != nil
            return !isWord && !".!#$%&'*+/=?^_`{|}~-".unicodeScalars.contains(scalar)
        }
        return wrong.map { "\"\($0)\" may not stand before its @" }
    }

    /// As name servers know it.
    private static func ascii(_ host: Substring) -> String? {
        let wrong = Set("/?#:\\%@[] ()<>&=;,\"")
        guard !host.isEmpty, !host.contains(where: wrong.contains),
            let name = WebURL("https://\(host)/")?.host, name.utf8.count <= 253
        else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let areLabels = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        }
        // A number at its end is an address, and one without a dot is a name at home.
        guard areLabels, labels.count > 1, labels.last?.contains(where: \.isLetter) == true else {
            return nil
        }
        return name
    }
}
