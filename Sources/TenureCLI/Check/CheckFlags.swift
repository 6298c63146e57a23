import ArgumentParser
import Content
import Tenure

/// How a place is checked, whoever asks: the flags that `tenure check` shares with the sites that
/// are watched. What isn't given leaves the options as they are.
struct CheckFlags: ParsableArguments {
    @OptionGroup var rules: RuleFlags
    @Option(help: "Links on the way from the URL to a page, at most. (default: no limit)")
    var depth: Int?
    @Option(
        help: ArgumentHelp(
            "Pages of the site, at most: some sites make up URLs without an end. (default: "
                + "\(SiteCheckOptions.usualPages))"))
    var pages: Int?
    @Option(help: "A URL or address for the owners of foreign hosts to turn to.")
    var contact: String?
    @Flag(inversion: .prefixedNo, help: "Whether a foreign target's first failure counts.")
    var strict: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether foreign targets are looked at.")
    var foreign: Bool?
    @Option(
        help: ArgumentHelp(
            "A block of addresses at which the checked site may be although they aren't public; "
                + "repeatable.", valueName: "CIDR"))
    var allow: [String] = []
    @Option(help: "How long an answer may take to begin. (default: 20s)") var timeout: String?
    @Option(help: "How long a foreign target that was well isn't asked again. (default: 1h)")
    var fresh: String?
    @Option(
        help: """
            The least time between two requests to the checked site. (default: none; for somebody \
            else's, what workers leave any host)
            """)
    var interval: String?

    func validate() throws {
        if let depth, depth < 0 {
            throw ValidationError("--depth is \(depth); give 0 or more")
        }
        let possible = SiteCheckOptions.possiblePages
        if let pages, !possible.contains(pages) {
            throw ValidationError(
                "--pages is \(pages); give \(possible.lowerBound) to \(possible.upperBound)")
        }
    }

    /// Puts into the options what was given.
    func apply(to options: inout SiteCheckOptions) throws {
        try rules.apply(to: &options)
        if let depth { options.depth = depth }
        if let pages { options.pages = pages }
        if let strict { options.strict = strict }
        if let foreign { options.checksForeign = foreign }
        if let contact { options.contact = contact }
        options.allowedAddresses = allow + options.allowedAddresses
        if let seconds = try seconds(timeout, of: "--timeout", above: .zero) {
            options.firstByteSeconds = seconds
        }
        if let seconds = try seconds(fresh, of: "--fresh") { options.freshSeconds = seconds }
        if let seconds = try seconds(interval, of: "--interval") { options.ownInterval = seconds }
    }

    /// The options of a check that begins: what was given, and what the settings say besides.
    func options(_ product: ProductSettings) throws -> SiteCheckOptions {
        var options = SiteCheckOptions()
        options.contact = try product.text("contact")
        options.allowedAddresses = try ProductSettings.blocks(product)
        try apply(to: &options)
        return options
    }

    /// The first of them that was given, for commands that have no use for any.
    var given: String? {
        let all = [
            ("--depth", depth != nil), ("--pages", pages != nil), ("--strict", strict != nil),
            ("--foreign", foreign != nil),
            ("--contact", contact != nil), ("--allow", !allow.isEmpty),
            ("--timeout", timeout != nil), ("--fresh", fresh != nil),
            ("--interval", interval != nil),
        ]
        return rules.given ?? all.first(where: \.1)?.0
    }

    private func seconds(
        _ text: String?, of flag: String, above least: Duration? = nil
    ) throws -> Double? {
        guard let text else { return nil }
        guard let time = DurationText.parse(text), time >= .zero, time > least ?? .seconds(-1)
        else {
            throw Failure("\(flag) is \"\(text)\"; give a time such as 500ms, 10s or 1d")
        }
        return time / .seconds(1)
    }
}
