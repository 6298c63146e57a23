import ArgumentParser
import Content
import Tenure

struct HostSet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set how fast a host is asked.",
        discussion: """
            What is set stays, whatever jobs bring along. An own host is asked as fast as its \
            limits say (10 at a time without a pause, unless you say otherwise), and its \
            robots.txt isn't asked for.

            Example:
              tenure host set www.example.org --own --max-running 4
              tenure host set slow.example --min-interval 5s
            """)

    @Argument(help: "A name or an address.") var host: String
    @Option(help: "The most requests at a time, over all workers.") var maxRunning: Int?
    @Option(help: "The least time from one request to the next: 500ms, 2s.")
    var minInterval: String?
    @Flag(inversion: .prefixedNo, help: "Whether it is your own.") var own: Bool?
    @Option(help: "Who sets it, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func validate() throws {
        if let maxRunning, !(1...1000).contains(maxRunning) {
            throw ValidationError("--max-running is \(maxRunning); give 1 to 1000")
        }
        if maxRunning == nil, minInterval == nil, own == nil {
            throw ValidationError(
                "there is nothing to set; give --max-running, --min-interval or --own")
        }
    }

    func checkInput() throws { _ = try interval() }

    private func interval() throws -> Duration? {
        try minInterval.map {
            try SettingValue.duration(
                .init(text: $0, source: "--min-interval"), .zero ... .seconds(86_400))
        }
    }

    func report(_ database: Database) async throws -> HostStatus {
        let interval = try interval()
        let hosts = queue.hosts(database)
        try await hosts.set(
            host, maxRunning: maxRunning, minInterval: interval, isOwn: own, by: by ?? Whom.name)
        return try await hosts.known(host, in: queue.queue)
    }
}
