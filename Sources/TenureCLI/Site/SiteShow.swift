import ArgumentParser
import Content
import Tenure

struct SiteShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how a site is watched, and how it is.",
        discussion: """
            skipped, because: the last time that it was due and wasn't checked, and why.

            Example:
              tenure site show https://www.example.org/
            """)

    @OptionGroup var site: SiteArgument
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let found = try await Database.product(common) { try await $0.sites.site(site.name) }
        Terminal.output(json ? try JSONText.encode(SiteOutput(found)) : SiteText.text(found))
    }
}
