/// What a finding's code means, and what to do about it.
struct FindingHelp: Sendable {
    let title: String
    let mending: String

    var text: String { "\(title). \(mending)" }

    init(_ title: String, _ mending: String) { (self.title, self.mending) = (title, mending) }

    init(code: String) {
        let name = code.prefix { $0 != "(" }
        self = Self.known[String(name)] ?? Self.status(code)
    }

    private static func status(_ code: String) -> FindingHelp {
        switch Int(code) {
        case .some(400..<500):
            FindingHelp("The server refuses the request", "Look whether the URL is the right one.")
        case .some(500..<600):
            FindingHelp("The server failed", "Mend the server, or look again later.")
        default:
            FindingHelp("The target can't be loaded", "Open it, and correct or remove the link.")
        }
    }

    private static let host = "Look whether the name in the URL is right, and the host is there."
    private static let slow = "Look again later; a longer time is given with --timeout."
    private static let server = "Mend the server, or remove the link."
    private static let redirect = "Mend the redirects, or link to where they should lead."

    private static let known: [String: FindingHelp] = [
        "404": FindingHelp(
            "There is nothing at this URL",
            "Correct the link or remove it; a page that has moved gets a redirect."),
        "410": FindingHelp("What was at this URL is gone for good", "Remove the link."),
        "soft404": FindingHelp(
            "The page says that it isn't there, with a status that says it is",
            "Correct the link; the server should answer with 404."),
        "foreignSoft404": FindingHelp(
            "The page says that it isn't there, with a status that says it is",
            "Correct or remove the link; look at it first, if its host shows programs something "
                + "else than people."),
        "missingFragment": FindingHelp(
            "The page has no anchor of that name",
            "Correct the part behind #, or give an element of the page that id."),
        "missingText": FindingHelp(
            "The page has no such text",
            "Correct the part behind :~:text=, or leave it out."),
        "movedForGood": FindingHelp(
            "The target has moved for good", "Link to where it is now."),
        "insecureLink": FindingHelp(
            "A link leads away from https", "Link to https://, where the target has it."),
        "mixedContent": FindingHelp(
            "A page with https loads something without",
            "Load it by https://: browsers refuse it as it is."),
        "sameEverywhere": FindingHelp(
            "The site answers most URLs with one and the same page",
            "Have the server answer with 404 where nothing is; until then nothing can be said of "
                + "links within it."),
        "badSitemap": FindingHelp(
            "This is called as sitemaps are, and can't be read as one",
            "Have it begin with <urlset> or <sitemapindex>, and be whole."),
        "badMail": FindingHelp(
            "This is no address of mail", "Correct it: mailto:name@example.org."),
        "noMailServer": FindingHelp(
            "Mail to this address can't arrive", "Correct or remove the address."),
        "badURL": FindingHelp("This is no URL", "Correct how it is written."),
        "canonicalLoop": FindingHelp(
            "Pages name each other as their canonical one",
            "Name the page that is meant in all of them."),
        "redirectLoop": FindingHelp("The redirects go in a circle", redirect),
        "tooManyRedirects": FindingHelp("There are too many redirects", redirect),
        "badRedirect": FindingHelp("The redirect leads nowhere", redirect),
        "insecureRedirect": FindingHelp("A redirect leads from https to http", redirect),
        "dnsNotFound": FindingHelp("There is no host of that name", host),
        "dnsTemporary": FindingHelp("The host's name couldn't be looked up", slow),
        "refusedAddress": FindingHelp(
            "The host is at an address that may not be asked",
            "Correct the link, or allow the address with --allow if it is the checked site's."),
        "connectRefused": FindingHelp("Nobody listens there", host),
        "connectTimeout": FindingHelp("No connection came about in time", host),
        "connectFailed": FindingHelp("There is no way to the host", host),
        "tls": FindingHelp("The connection can't be made secure", server),
        "timeoutFirstByte": FindingHelp("The answer didn't begin in time", slow),
        "stalled": FindingHelp("The answer stopped coming", slow),
        "totalTimeout": FindingHelp("The answer wasn't complete in time", slow),
        "connectionClosed": FindingHelp("The server closed before it answered", server),
        "truncated": FindingHelp("The server closed before its answer was complete", server),
        "protocolError": FindingHelp("The answer is no HTTP", server),
        "noSecret": FindingHelp(
            "The worker has no secret to ask with",
            "Give it the variable or file that the rules name."),
        "badEncoding": FindingHelp("The answer can't be unpacked", server),
    ]
}
