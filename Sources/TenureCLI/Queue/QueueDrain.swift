import ArgumentParser
import Tenure

struct QueueDrain: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Pause a queue and wait until none of its jobs runs.",
        discussion: """
            Jobs that wait stay where they are, and the queue stays paused, also when this is \
            interrupted: go on with queue resume. Ends with 1 when jobs still run at --timeout.

            Example:
              tenure queue drain mail --timeout 10m
            """)

    @Argument(help: "The queue's name.") var name: String
    @Option(
        help: "How long to wait, such as 30s or 10m. (default: as long as it takes)",
        transform: JobArgument.age)
    var timeout: Duration?
    @Option(help: "Who drains, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let look = Duration.milliseconds(250)

    func report(_ database: Database) async throws -> DrainReport {
        let queue = try await database.inspector.queue(name)
        try await Operator(client: database.client, as: by ?? Whom.name, because: reason)
            .pause(queue.name)
        let running = try await wait(queue.name, database)
        return DrainReport(
            queue: name, result: running == 0 ? .drained : .running, running: running,
            due: queue.due)
    }

    /// - Returns: how many still run.
    private func wait(_ queue: QueueName, _ database: Database) async throws -> Int {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        defer { Terminal.endProgress() }
        while true {
            // A claim that was under way when the queue was paused shows up a moment later.
            try await Task.sleep(for: Self.look)
            let running = try await database.inspector.running(in: queue)
            if running == 0 { return 0 }
            if let deadline, ContinuousClock.now >= deadline { return running }
            Terminal.progress("draining \(queue): \(CountText.of(running, "job", do: "run"))")
        }
    }
}

struct DrainReport: Report {
    enum Result: String, Encodable { case drained, running }

    let queue: String
    let result: Result
    let running: Int
    let due: Int

    var hasFindings: Bool { result == .running }

    var text: String {
        let still = CountText.of(running, "job", "of \(queue)", do: "still run")
        return PlainText.line(
            hasFindings
                ? "\(still); it stays paused, and what runs goes on"
                : "drained \(queue): nothing runs, \(CountText.of(due, "job")) due; it stays "
                    + "paused until: tenure queue resume \(queue)")
    }
}
