/// What a robots.txt says to one crawler. Made once for a file, and asked for each URL.
public struct RobotsPolicy: Sendable {
    /// The longest first, and of two as long the one that allows: the first that matches decides.
    private let rules: [RobotsRule]
    /// The wait between requests that the site asks for; not in the RFC, but widely used.
    public let crawlDelay: Duration?

    /// The bytes that are looked at for one URL, at most: several times what 500 KiB of rules with
    /// stars take for a URL of 240 bytes, and some hundredths of a second. Who writes rules that
    /// take more with a URL that is made for it has forbidden it.
    public static let mostSteps = 1 << 24

    init(rules: [RobotsRule], crawlDelay: Duration?) {
        self.rules = rules.sorted {
            $0.length == $1.length ? $0.allows && !$1.allows : $0.length > $1.length
        }
        self.crawlDelay = crawlDelay
    }

    public func isAllowed(_ url: WebURL) -> Bool {
        isAllowed(path: url.query.map { "\(url.path)?\($0)" } ?? url.path)
    }

    /// Whether it may fetch `path`, percent-encoded, with the query if there is one.
    ///
    /// The longest pattern that matches decides; of two as long, the one that allows.
    public func isAllowed(path: String) -> Bool { judge(path: path).isAllowed }

    /// The same, with the bytes that were looked at.
    public func judge(path: String) -> (isAllowed: Bool, steps: Int) {
        let path = RobotsRule.normalize((path.isEmpty ? "/" : path).utf8, encodes: false)
        var steps = path.count
        let isAllowed = path.withUnsafeBufferPointer { path in
            for rule in rules {
                if rule.matches(path, &steps) { return rule.allows }
                if steps > Self.mostSteps { return false }
            }
            return true
        }
        return (isAllowed, steps)
    }
}
