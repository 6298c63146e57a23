import ArgumentParser
import Content
import Tenure

struct SiteResume: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a paused site be checked again.",
        discussion: """
            With the next tick from now: what was missed isn't made up for. Ends with 1 when it \
            was not paused.

            Example:
              tenure site resume https://www.example.org/
            """)

    @OptionGroup var site: SiteArgument
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let was = try await Database.product(common) { try await $0.sites.resume(site.name) }
        try SiteResult(site.site, was ? .resumed : .wasNotPaused).print(json: json)
    }
}
