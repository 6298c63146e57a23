import ArgumentParser
import Tenure

struct QueueDrain: TenureCommand {
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
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let look = Duration.milliseconds(250)

    private struct Output: Encodable {
        let queue: String
        let result: String
        let running: Int
        let due: Int
    }

    func execute() async throws {
        let settings = try await common.settings()
        let (running, due) = try await Database.current(settings) { database in
            let queue = try await database.inspector.queue(name)
            try await Operator(client: database.client, as: by ?? Whom.name).pause(queue.name)
            return (try await wait(queue.name, database), queue.due)
        }
        let isDrained = running == 0
        if json {
            Terminal.output(
                try JSONText.encode(
                    Output(
                        queue: name, result: isDrained ? "drained" : "running", running: running,
                        due: due)))
        } else if isDrained {
            Terminal.line(
                "drained \(name): nothing runs, \(due) jobs are due; it stays paused until: "
                    + "tenure queue resume \(name)")
        } else {
            Terminal.line(
                "\(running) jobs of \(name) still run; it stays paused, and they go on")
        }
        if !isDrained { throw ExitCode(Exit.findings) }
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
            Terminal.progress("draining \(queue): \(running) jobs run")
        }
    }
}
