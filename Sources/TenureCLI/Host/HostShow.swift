import ArgumentParser
import Content
import Tenure

struct HostShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a host's limits, jobs and hold.",
        discussion: """
            Example:
              tenure host show www.example.org
            """)

    @Argument(help: "A name or an address.") var host: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let found = try await Database.product(common) { database in
            try await queue.hosts(database).status(of: host)
        }
        guard let found else {
            throw Failure(
                "nothing is known of host \(host) in queue \(queue.queue); look with: "
                    + "tenure host list")
        }
        Terminal.output(json ? try JSONText.encode(HostOutput(found)) : HostText.text(found))
    }
}
