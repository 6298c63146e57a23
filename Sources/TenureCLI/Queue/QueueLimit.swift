import ArgumentParser
import Tenure

struct QueueLimit: TenureCommand {
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

    private struct Output: Encodable {
        let queue: String
        @OrNull var maxRunning: Int?
        let running: Int
    }

    /// 0 is none.
    static func number(_ text: String) throws -> Int {
        if text == "none" { return 0 }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw Failure("give 1 to 1000000, or none")
        }
        return number
    }

    func execute() async throws {
        let settings = try await common.settings()
        let most = limit == 0 ? nil : limit
        let running = try await Database.current(settings) { database in
            try await set(most, Operator(client: database.client, as: Whom.name))
            return try await database.inspector.running(in: QueueName(name))
        }
        if json {
            return Terminal.output(
                try JSONText.encode(Output(queue: name, maxRunning: most, running: running)))
        }
        let text = most.map { "at most \($0) jobs of \(name) run at a time" }
        Terminal.line("\(text ?? "\(name) has no limit"); \(running) run now")
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
