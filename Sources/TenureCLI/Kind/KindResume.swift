import ArgumentParser
import Tenure

struct KindResume: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a paused kind go on.",
        discussion: """
            Whether an operator or the breaker paused it; the breaker counts anew. Ends with 1 \
            when it was not paused.

            Example:
              tenure kind resume report
            """)

    @Argument(help: "The kind.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let wasPaused = try await Database.current(settings) { database in
            try await Operator(client: database.client, as: Whom.name)
                .resume(kind: JobKind(name))
        }
        if json {
            let result = wasPaused ? "resumed" : "wasNotPaused"
            Terminal.output(try JSONText.encode(KindChange(name, result)))
        } else {
            Terminal.line(wasPaused ? "resumed \(name)" : "\(name) was not paused")
        }
        if !wasPaused { throw ExitCode(Exit.findings) }
    }
}
