import ArgumentParser
import Content
import Tenure

struct HostRelease: TenureCommand {
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

    func execute() async throws {
        let wasHeld = try await Database.product(common) { database in
            try await queue.hosts(database).release(host)
        }
        if json {
            let result = wasHeld ? "released" : "wasNotOnHold"
            Terminal.output(try JSONText.encode(["host": host, "result": result]))
        } else {
            Terminal.output(wasHeld ? "released \(host)" : "\(host) was not on hold")
        }
        if !wasHeld { throw ExitCode(Exit.findings) }
    }
}
