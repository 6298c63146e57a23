import ArgumentParser
import Content
import Tenure

struct NotifyRemove: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a channel, from all sites that told it.",
        discussion: """
            What wasn't sent there isn't sent any more.

            Example:
              tenure notify remove ops
            """)

    @Argument(help: "The channel's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Output: Encodable {
        let channel: String
        let sites: [String]
    }

    func execute() async throws {
        let sites = try await Database.product(common) { try await $0.channels.remove(name) }
            .map { URLRedaction.text($0) }
        if json {
            return Terminal.output(try JSONText.encode(Output(channel: name, sites: sites)))
        }
        Terminal.line("removed \(name)")
        for site in sites { Terminal.line("\(site) no longer tells it") }
    }
}
