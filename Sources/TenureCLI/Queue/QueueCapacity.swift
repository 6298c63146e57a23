import ArgumentParser
import Tenure

struct QueueCapacity: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "capacity",
        abstract: "Set the most jobs that may wait in a queue before producers are refused.",
        discussion: """
            Later ones count too. Producers heed it within 5 seconds; one count a second serves \
            all of them, so a queue may be over it by what they bring within a second. What comes \
            with a transaction, follow-ups, schedules and SQL is never refused. "none" takes the \
            capacity away.

            Example:
              tenure queue capacity mail 10000
              tenure queue capacity mail none
            """)

    @Argument(help: "The queue's name.") var name: String
    @Argument(help: "1 to 1000000, or none.", transform: QueueLimit.number) var capacity: Int
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> CapacityReport {
        let most = capacity == 0 ? nil : capacity
        try await Operator(client: database.client, as: Whom.name)
            .setCapacity(of: QueueName(name), to: most)
        return CapacityReport(queue: name, capacity: most)
    }
}

struct CapacityReport: Report {
    let queue: String
    @OrNull var capacity: Int?

    var text: String {
        PlainText.line(
            capacity.map { "\(queue) takes more jobs only while fewer than \($0) wait" }
                ?? "\(queue) has no capacity set")
    }
}
