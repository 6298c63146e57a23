import ArgumentParser
import Content
import FoundationEssentials
import Tenure

struct HostHold: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Ask a host for nothing for a while.",
        discussion: """
            What is under way goes on. The latest of several holds counts; `host release` ends \
            them all.

            Example:
              tenure host hold example.com --for 1h --reason "their mail of Monday"
            """)

    @Argument(help: "A name or an address.") var host: String
    @Option(name: .customLong("for"), help: "How long: 30s, 5m, 1h, 2d.") var pause: String
    @Option(help: "Why, for those who look later.") var reason: String?
    @Option(help: "Who holds, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    /// Between this machine's clock and the database's, in seconds.
    private static let tolerance = 5.0

    func checkInput() throws { _ = try time() }

    private func time() throws -> Duration {
        try SettingValue.duration(
            .init(text: pause, source: "--for"), .seconds(1) ... .seconds(365 * 86_400))
    }

    func report(_ database: Database) async throws -> HostStatus {
        let pause = try time()
        let hosts = queue.hosts(database)
        try await hosts.hold(host, for: pause, reason: reason, by: by ?? Whom.name)
        let found = try await hosts.known(host, in: queue.queue)
        let wanted = Date().addingTimeInterval(pause.inSeconds + Self.tolerance)
        if let until = found.lane?.heldUntil, until > wanted {
            Terminal.error(
                "tenure: a longer hold stands, until \(TimeText.full(until)); to end it: tenure "
                    + "host release \(host)")
        }
        return found
    }
}
