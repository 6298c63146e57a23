import ArgumentParser
import Content
import Tenure

struct ImpactCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "impact", abstract: "Say which live items depend on items: may they go?",
        discussion: """
            safe: nobody refers to it. safe with a redirect (safeWithRedirect in JSON): it is \
            linked to, and a redirect in its place keeps the links alive. unsafe: somebody breaks \
            without it. unknown: it was never heard of, or what is known of its dependents is too \
            old. It is supposed that all that are safe, or get their redirect, go together.

            Example:
              tenure impact https://example.org/old https://example.org/style.css
              tenure impact https://example.org/old --json --places 100

            Exit codes: 0 all are safe, 1 not all, 2 could not do it.
            """)

    @Argument(help: "URLs or ids of items.") var items: [String]
    @OptionGroup var flags: ImpactFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func checkInput() throws { _ = try flags.options() }

    func report(_ database: Database) async throws -> ImpactReport {
        let found = try await Impact(pool: database.pool)
            .of(items.map { ItemName($0) }, try flags.options())
        return ImpactReport(impacts: found, names: items)
    }
}

struct ImpactReport: Report {
    let impacts: [ItemImpact]
    let names: [String]

    func encode(to encoder: any Encoder) throws { try impacts.encode(to: encoder) }

    /// One that was named twice comes once: then nobody can say which is which.
    var text: String {
        ImpactText.text(impacts, named: impacts.count == names.count ? names : [])
    }

    var hasFindings: Bool { !impacts.allSatisfy { $0.verdict == .safe } }
}

/// How dependents are looked for and shown.
struct ImpactFlags: ParsableArguments {
    @Option(help: "What was last seen longer ago proves nothing. (default: 30d)")
    var maxAge: String?
    @Option(help: "At most so many places for each item, 0 to 1000000.") var places = 20

    func options() throws -> ImpactOptions {
        var options = ImpactOptions()
        if let maxAge {
            guard let time = DurationText.parse(maxAge), time > .zero else {
                throw Failure("--max-age is \"\(maxAge)\"; give a time such as 12h or 30d")
            }
            options.maxAge = time
        }
        guard (0...1_000_000).contains(places) else {
            throw Failure("--places is \(places); give 0 to 1000000")
        }
        options.places = places
        return options
    }
}
