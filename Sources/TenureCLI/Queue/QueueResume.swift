import ArgumentParser
import Tenure

struct QueueResume: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a paused queue go on.",
        discussion: """
            Ends with 1 when it was not paused.

            Example:
              tenure queue resume mail
            """)

    @Argument(help: "The queue's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let wasPaused = try await Database.current(settings) { database in
            try await Operator(client: database.client, as: Whom.name).resume(QueueName(name))
        }
        if json {
            let result = wasPaused ? "resumed" : "wasNotPaused"
            Terminal.output(try JSONText.encode(QueueChange(name, result)))
        } else {
            Terminal.line(wasPaused ? "resumed \(name)" : "\(name) was not paused")
        }
        if !wasPaused { throw ExitCode(Exit.findings) }
    }
}
