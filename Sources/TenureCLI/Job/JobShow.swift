import ArgumentParser
import Tenure

struct JobShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the whole story of a job.",
        discussion: """
            Example:
              tenure job show 01990000-0000-7000-8000-000000000000 --json
            """)

    @Argument(help: "The job's id.", transform: JobArgument.id) var id: JobID
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let detail = try await Database.current(settings) { try await $0.inspector.job(id) }
        guard let detail else { throw Failure.noJob(id) }
        if json { return Terminal.output(try JSONText.encode(JobDetailOutput(detail))) }
        Terminal.output(JobStory.text(detail))
    }
}

extension Failure {
    static func noJob(_ id: JobID) -> Failure {
        Failure(
            "there is no job \(id), or history has dropped it; look with: "
                + "tenure job list --finished")
    }
}
