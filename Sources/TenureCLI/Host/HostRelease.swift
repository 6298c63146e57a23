import ArgumentParser
import Content
import Tenure

struct HostRelease: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Let a host on hold be asked again.",
        discussion: """
            Also one that asked for a pause itself. Ends with 1 when it was not on hold.

            Example:
              tenure host release example.com
            """)

    @Argument(help: "A name or an address.") var host: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func report(_ database: Database) async throws -> Change {
        let wasHeld = try await queue.hosts(database).release(host, by: Whom.name)
        return Change(noun: "host", name: host, result: wasHeld ? .released : .wasNotOnHold)
    }
}
