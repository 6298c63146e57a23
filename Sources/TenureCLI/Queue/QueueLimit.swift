import ArgumentParser
import Tenure

struct QueueLimit: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Set the most jobs of a queue that may run at a time, over all workers.",
        discussion: """
            Exact, and in force when this returns. Jobs that run above a lower limit go on; no \
            other starts until there is room. "none" takes the limit away.

            Example:
              tenure queue limit mail 5
              tenure queue limit mail none
            """)

    @Argument(help: "The queue's name.") var name: String
    @Argument(help: "1 to 1000000, or none.", transform: QueueLimit.number) var limit: Int
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let tries = 5

    /// 0 is none.
    static func number(_ text: String) throws -> Int {
        if text == "none" { return 0 }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw Failure("give 1 to 1000000, or none")
        }
        return number
    }

    func report(_ database: Database) async throws -> LimitReport {
        let most = limit == 0 ? nil : limit
        try await set(most, Operator(client: database.client, as: Whom.name))
        let running = try await database.inspector.running(in: QueueName(name))
        return LimitReport(queue: name, maxRunning: most, running: running)
    }

    /// It needs a moment without claims, and gives up rather than hold everybody up for one.
    private func set(_ most: Int?, _ someone: Operator) async throws {
        for attempt in 1...Self.tries {
            do {
                return try await someone.limit(QueueName(name), to: most)
            } catch let error as PostgresError where error.sqlState == "55P03" {
                if attempt == Self.tries {
                    throw Failure(
                        "claims left no moment to set the limit of \(name), \(Self.tries) times: "
                            + "try again, or look for a long transaction with: tenure doctor")
                }
            }
        }
    }
}

struct LimitReport: Report {
    let queue: String
    @OrNull var maxRunning: Int?
    let running: Int

    var text: String {
        let text = maxRunning.map {
            "at most \(CountText.of($0, "job", "of \(queue)", do: "run")) at a time"
        }
        return PlainText.line(
            "\(text ?? "\(queue) has no limit"); \(running) run\(running == 1 ? "s" : "") now")
    }
}
