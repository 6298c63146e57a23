import Web

/// What tells a page that isn't the page from one that is.
struct PageLook: Sendable {
    let title: String
    let text: String
    let words: Int
    /// In UTF-8.
    let source: [UInt8]
    let url: WebURL
}

extension Suspicion {
    /// A page with more words than this is content, whatever else it says.
    private static let mostWords = 250

    /// By what such pages have in common; each sign counts only on a page with few words.
    static func of(_ page: PageLook) -> Suspicion? {
        guard page.words < mostWords else { return nil }
        let title = page.title.lowercased()
        if challengeTitles.contains(where: title.contains) || has(page.source, challengeMarks) {
            return .challenge
        }
        let text = page.text.prefix(4000).lowercased()
        if MissingPage.isTold(by: page.title), MissingPage.isTold(by: text, words: page.words) {
            return .softMissing
        }
        let host = page.url.host ?? ""
        if consentHosts.contains(where: host.hasPrefix)
            || consentTitles.contains(where: title.contains)
            || consentWords.filter(text.contains).count >= 2
        {
            return .consentWall
        }
        return nil
    }

    /// A page that is sent to the start of its site instead: the document isn't there any more.
    static func ofDetour(from asked: WebURL, to final: WebURL) -> Suspicion? {
        guard final.path == "/", final.query == nil, asked.path != "/" else { return nil }
        let last = asked.path.split(separator: "/").last ?? ""
        let isStart = last.hasPrefix("index.") || last.hasPrefix("default.")
        // A language or a section that the site shows at its start.
        let isShallow = !asked.path.dropFirst().dropLast().contains("/") && last.count <= 5
        return isStart || isShallow ? nil : .softMissing
    }

    private static let challengeTitles = [
        "just a moment...", "attention required! | cloudflare", "ddos-guard", "are you a robot",
        "are you human", "security check", "checking your browser", "pardon our interruption",
        "human verification", "verify you are human",
    ]
    private static let challengeMarks = [
        "orchestrate/chl_page", "_cf_chl_opt", "_Incapsula_Resource", "px-captcha",
        "geo.captcha-delivery.com", "awsWafCookieDomainList", "ddos-guard/js-challenge",
    ]
    private static let consentHosts = ["consent.", "guce.", "cmp."]
    private static let consentTitles = [
        "before you continue", "we value your privacy", "cookie consent", "your privacy choices",
        "privacy settings",
    ]
    private static let consentWords = [
        "accept all", "reject all", "we use cookies", "we and our partners", "manage options",
        "consent to", "alle akzeptieren", "tout accepter", "aceptar todo",
    ]

    private static func has(_ source: [UInt8], _ marks: [String]) -> Bool {
        let text = source.prefix(256 << 10)
        return marks.contains { mark in
            let mark = Array(mark.utf8)
            return text.indices.contains { index in
                text[index] == mark[0] && text[index...].starts(with: mark)
            }
        }
    }
}
