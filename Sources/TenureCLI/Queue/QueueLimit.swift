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
        try await Operator(client: database.client, as: Whom.name).betweenClaims(of: name) {
            try await $0.limit(QueueName(name), to: most)
        }
        let running = try await database.inspector.running(in: QueueName(name))
        return LimitReport(queue: name, maxRunning: most, running: running)
    }
}

extension Operator {
    private static let tries = 5

    /// What needs a moment without claims, and gives up rather than hold everybody up for one.
    func betweenClaims(
        of queue: String, _ change: (Operator) async throws -> Void
    ) async throws {
        for attempt in 1...Self.tries {
            do {
                return try await change(self)
            } catch let error as PostgresError where error.sqlState == "55P03" {
                if attempt == Self.tries {
                    throw Failure(
                        "claims left no moment to set that of \(queue), \(Self.tries) times: "
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
