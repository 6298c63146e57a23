import ArgumentParser
import Content
import Tenure

/// How a site that is watched is checked: the flags of `tenure check`, as far as they are for
/// checks that nobody looks on at.
struct SiteCheckFlags: ParsableArguments {
    @Option(help: "Links on the way from the URL to a page, at most. (default: no limit)")
    var depth: Int?
    @Option(help: "A URL or address for the owners of foreign hosts to turn to.")
    var contact: String?
    @Flag(help: "A foreign target's first failure counts.") var strict = false
    @Flag(name: .customLong("no-foreign"), help: "Don't look at foreign targets.")
    var noForeign = false
    @Option(
        help: ArgumentHelp(
            "A block of addresses at which the site may be although they aren't public; "
                + "repeatable.", valueName: "CIDR"))
    var allow: [String] = []
    @Option(help: "How long an answer may take to begin. (default: 20s)") var timeout: String?
    @Option(help: "How long a foreign target that was well isn't asked again. (default: 1h)")
    var fresh: String?
    @Option(help: "The least time between two requests to the site. (default: none)")
    var interval: String?
    @Option(help: "The queue of its jobs.") var queue = "default"

    func validate() throws {
        if let depth, depth < 0 {
            throw ValidationError("--depth is \(depth); give 0 or more")
        }
    }

    func options(_ product: ProductSettings) throws -> SiteCheckOptions {
        var options = SiteCheckOptions()
        options.kind = .site
        options.depth = depth
        options.strict = strict
        options.checksForeign = !noForeign
        options.contact = try contact ?? product.text("contact")
        options.allowedAddresses = try allow + ProductSettings.blocks(product)
        options.queue = QueueName(queue)
        if let seconds = try seconds(timeout, of: "--timeout", above: .zero) {
            options.firstByteSeconds = seconds
        }
        if let seconds = try seconds(fresh, of: "--fresh") { options.freshSeconds = seconds }
        if let seconds = try seconds(interval, of: "--interval") { options.ownInterval = seconds }
        return options
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
