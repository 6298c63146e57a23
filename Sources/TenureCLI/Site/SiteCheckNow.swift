import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct SiteCheckNow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a site now, whenever it is due.",
        discussion: """
            Workers run it, and its end tells the site's channels what is new. Refused while the \
            last check still runs.

            Example:
              tenure site check https://www.example.org/
            """)

    @OptionGroup var site: SiteArgument
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let check = try await Database.product(common) { try await $0.sites.check(site.name) }
        let id = check.uuidString.lowercased()
        if json { return Terminal.output(try JSONText.encode(["check": id])) }
        Terminal.line("started check \(id); watch it with: tenure batch watch \(id)")
    }
}
