import ArgumentParser
import Tenure
import TenureWorker

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
        let detail = try await Database.current(settings) { database -> JobDetail? in
            guard var detail = try await database.inspector.job(id) else { return nil }
            // What this program's own types say, whether a worker has said it already or not.
            // Reason for `try?`: settings that only fetches need are no reason to show nothing.
            if let own = try? database.parts.registry().secretFields[detail.summary.kind] {
                detail.secretFields = detail.secretFields.union(own)
            }
            return detail
        }
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
