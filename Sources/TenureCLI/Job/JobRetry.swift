import ArgumentParser
import Tenure

struct JobRetry: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Run a job again.",
        discussion: """
            A pending or held job runs now. A finished one runs as a new job, whose id is \
            printed. A job with a key gives way to an unfinished one of its key. Ends with 1 \
            when the job is running, or another of its key stands for it.

            Example:
              tenure job retry 01990000-0000-7000-8000-000000000000
            """)

    @Argument(help: "The job's id.", transform: JobArgument.id) var id: JobID
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup(title: "Common options") var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let found = try await Database.current(settings) { database in
            try await Operator(client: database.client, as: Whom.name).retry(id)
        }
        guard let found else { throw Failure.noJob(id) }
        if json {
            Terminal.output(try JSONText.encode(EnqueuedOutput(found)))
        } else {
            Terminal.output("\(found.result.rawValue) \(found.id)")
        }
        if found.result == .kept { throw ExitCode(Exit.findings) }
    }
}
