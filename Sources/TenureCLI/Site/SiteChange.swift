import ArgumentParser
import Content
import Tenure

struct SiteChange: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Check a site in another way from its next check on.",
        discussion: """
            What isn't given stays as it is. A file of rules replaces all rules that the site has; \
            patterns, statuses and headers given as flags come to them.

            Example:
              tenure site change https://www.example.org/ --rules links.yaml
              tenure site change https://www.example.org/ --no-rules --depth 5
            """)

    @OptionGroup var site: SiteArgument
    @OptionGroup var check: CheckFlags
    @Flag(help: "Drop the rules that it has.") var noRules = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if noRules, check.rules.rules != nil {
            throw ValidationError("--no-rules drops what --rules gives; leave one of them out")
        }
        if !noRules, check.given == nil {
            throw ValidationError(
                "nothing is given that would be changed; give --rules FILE or another flag")
        }
    }

    func execute() async throws {
        // Bad rules are told of whether there is a database or not.
        var trial = SiteCheckOptions()
        try check.apply(to: &trial)
        let changed = try await Database.product(common) { database in
            try await database.sites.change(site.name) { options in
                if noRules || check.rules.rules != nil { options.rules = CheckRules() }
                try check.apply(to: &options)
            }
        }
        if json { return Terminal.output(try JSONText.encode(SiteOutput(changed))) }
        Terminal.output(SiteText.text(changed))
    }
}
