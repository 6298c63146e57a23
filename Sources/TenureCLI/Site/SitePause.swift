import ArgumentParser
import Content
import Tenure

struct SitePause: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Check a site no more until it is resumed.",
        discussion: """
            A check that runs goes on. tenure site check works all the same.

            Example:
              tenure site pause https://www.example.org/
            """)

    @OptionGroup var site: SiteArgument
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        try await Database.product(common) { try await $0.sites.pause(site.name) }
        try SiteResult(site.site, .paused).print(json: json)
    }
}
