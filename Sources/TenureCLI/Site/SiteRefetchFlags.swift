import ArgumentParser
import Content
import Tenure

/// How the items of a site that is watched are fetched again.
struct SiteRefetchFlags: ParsableArguments {
    @Flag(help: "Fetch its items again: soon those that change often, and never fresh ones.")
    var refetch = false
    @Option(
        help: ArgumentHelp(
            "The shortest time between two fetches of an item, 1m to 365d. (default: 1h)",
            valueName: "TIME"))
    var refetchMin: String?
    @Option(
        help: ArgumentHelp(
            "The longest, up to 365d. (default: 30d)", valueName: "TIME"))
    var refetchMax: String?
    @Flag(help: "Fetch what its sitemaps and feeds name, too, as it appears.")
    var discover = false

    func validate() throws {
        if refetch { return }
        if refetchMin != nil { throw ValidationError("--refetch-min needs --refetch") }
        if refetchMax != nil { throw ValidationError("--refetch-max needs --refetch") }
        if discover { throw ValidationError("--discover needs --refetch") }
    }

    func options() throws -> SiteRefetch? {
        guard refetch else { return nil }
        var options = SiteRefetch()
        options.discovers = discover
        if let time = try time(refetchMin, of: "--refetch-min") { options.bounds.shortest = time }
        if let time = try time(refetchMax, of: "--refetch-max") { options.bounds.longest = time }
        let (least, most) = (Duration.seconds(60), Duration.seconds(365 * 86_400))
        guard options.bounds.shortest >= least, options.bounds.longest <= most,
            options.bounds.shortest <= options.bounds.longest
        else {
            throw Failure(
                "--refetch-min to --refetch-max is \(refetchMin ?? "1h") to "
                    + "\(refetchMax ?? "30d"); give times from 1m to 365d, the shorter one first")
        }
        return options
    }

    private func time(_ text: String?, of flag: String) throws -> Duration? {
        guard let text else { return nil }
        guard let time = DurationText.parse(text) else {
            throw Failure("\(flag) is \"\(text)\"; give a time such as 30m, 6h or 30d")
        }
        return time
    }
}
