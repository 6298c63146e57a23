import ArgumentParser
import Tenure
import TenureWorker

struct JobShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the whole story of a job, and why it waits.",
        discussion: """
            Example:
              tenure job show 01990000-0000-7000-8000-000000000000 --json
            """)

    @Argument(help: "The job's id.", transform: JobArgument.id) var id: JobID
    @Flag(help: "All lines that are kept of its log, not only the last ten.") var log = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> JobReport {
        guard var detail = try await database.inspector.job(id) else { throw Failure.noJob(id) }
        // What this program's own types say, whether a worker has said it already or not.
        // Reason for `try?`: settings that only fetches need are no reason to show nothing.
        if let own = try? database.parts.registry().secretFields[detail.summary.kind] {
            detail.secretFields = detail.secretFields.union(own)
        }
        return JobReport(
            job: detail, delays: try await database.inspector.delays(of: detail),
            showsWholeLog: log)
    }
}

extension Failure {
    static func noJob(_ id: JobID) -> Failure {
        Failure(
            "there is no job \(id), or history has dropped it; look with: "
                + "tenure job list --finished")
    }
}
