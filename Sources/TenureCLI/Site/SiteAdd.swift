import ArgumentParser
import Content
import Tenure
import TenureCoordinator

struct SiteAdd: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Watch a site from now on.",
        discussion: """
            The first check comes within the hour, or half the interval where that is shorter: \
            each site has its own place in that time, so that a thousand of them don't begin \
            together. What it finds is known from then on; later checks tell what is newly broken \
            and what is mended. Checks run by workers: a private site needs one that was started \
            with TENURE_CONTENT_ALLOW_SITES, such as 127.0.0.1.

            With --refetch the items below the URL are fetched again, too: when their header \
            fields no longer call them fresh, and then the sooner the more often they have \
            changed. With --discover, pages that a sitemap or a feed of the site names are \
            fetched as they appear. Both go through the host's lane, after whatever somebody \
            waits for.

            Example:
              tenure site add https://www.example.org/ --every 12h --contact you@example.org
              tenure site add https://docs.example.org/ --cron "0 3 * * *" --zone Europe/Berlin \
            --contact https://example.org/bot
            """)

    @Argument(help: "Where it begins: every page below this URL's folder belongs to it.")
    var url: String
    @Option(help: "The time from one check to the next, at least 1s. (default: 1d)")
    var every: String?
    @Option(help: "Five fields instead: minute, hour, day, month, weekday.") var cron: String?
    @Option(help: "The time zone of --cron, such as Europe/Berlin. (default: UTC)")
    var zone: String?
    @Option(help: ArgumentHelp("A channel to tell; repeatable.", valueName: "NAME"))
    var notify: [String] = []
    @Flag(help: "Tell of pages whose links or headings are others, too.") var changes = false
    @OptionGroup var refetching: SiteRefetchFlags
    @OptionGroup var check: SiteCheckFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if every != nil, cron != nil {
            throw ValidationError("give --every or --cron, one of them")
        }
        if zone != nil, cron == nil { throw ValidationError("--zone needs --cron") }
        try refetching.validate()
    }

    func execute() async throws {
        let settings = try await common.settings()
        let ticks = try ticks()
        let options = try check.options(settings.product)
        let refetch = try refetching.options()
        let site = try await Database.product(common) { database in
            do {
                return try await database.sites.add(
                    url, ticks, options, channels: notify, tellsChanges: changes,
                    refetch: refetch)
            } catch let error as PostgresError where error.sqlState == "TN003" {
                throw Failure(error.message + (error.hint.map { "; \($0)" } ?? ""))
            }
        }
        if json { return Terminal.output(try JSONText.encode(SiteOutput(site))) }
        let next = site.nextAt.map { TimeText.full($0) } ?? "when a coordinator runs"
        Terminal.line("watching \(SiteText.url(site)): \(TicksText.format(ticks))")
        Terminal.line("first check: \(next)")
    }

    private func ticks() throws -> Ticks {
        if let cron { return .cron(cron, zone: zone ?? "UTC") }
        let text = every ?? "1d"
        guard let interval = DurationText.parse(text), interval >= .seconds(1) else {
            throw Failure("--every is \"\(text)\"; give a time of at least 1s, such as 6h or 1d")
        }
        return .every(interval)
    }
}
