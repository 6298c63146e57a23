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
        let title = SearchedText(page.title.lowercased())
        let source = SearchedText(page.source.prefix(256 << 10))
        if challengeTitles.contains(where: title.has) || challengeMarks.contains(where: source.has)
        {
            return .challenge
        }
        let text = SearchedText(lowercasedStartOf: page.text, count: 4000)
        if MissingPage.isTold(by: page.title), MissingPage.isTold(by: text, words: page.words) {
            return .softMissing
        }
        let host = page.url.host ?? ""
        if consentHosts.contains(where: host.hasPrefix)
            || consentTitles.contains(where: title.has)
            || consentWords.filter(text.has).count >= 2
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

    private static let challengeTitles: [StaticString] = [
        "just a moment...", "attention required! | cloudflare", "ddos-guard", "are you a robot",
        "are you human", "security check", "checking your browser", "pardon our interruption",
        "human verification", "verify you are human",
    ]
    private static let challengeMarks: [StaticString] = [
        "orchestrate/chl_page", "_cf_chl_opt", "_Incapsula_Resource", "px-captcha",
        "geo.captcha-delivery.com", "awsWafCookieDomainList", "ddos-guard/js-challenge",
    ]
    private static let consentHosts = ["consent.", "guce.", "cmp."]
    private static let consentTitles: [StaticString] = [
        "before you continue", "we value your privacy", "cookie consent", "your privacy choices",
        "privacy settings",
    ]
    private static let consentWords: [StaticString] = [
        "accept all", "reject all", "we use cookies", "we and our partners", "manage options",
        "consent to", "alle akzeptieren", "tout accepter", "aceptar todo",
    ]
}
