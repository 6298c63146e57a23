import ArgumentParser
import Tenure

struct JobCancel: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel jobs.",
        discussion: """
            A pending job is over. A running one is told to stop, at once, and is over when it \
            has let go. Ends with 1 when one of those named was over already. With --all: every \
            unfinished job that matches, in short transactions.

            Example:
              tenure job cancel 01990000-0000-7000-8000-000000000000
              tenure job cancel --all --queue mail --older-than 1h --dry-run
            """)

    @OptionGroup var selection: JobSelection
    @Option(help: "Who cancels, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for the audit log.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws { try selection.requireFilter(.cancel) }

    func execute() async throws {
        var work = JobWork(verb: .cancel, selection: selection, by: by, json: json)
        work.states = Set(JobStatus.allCases.filter { !$0.isFinished })
        work.refusals = [.finished: "it was over already"]
        work.reason = reason
        try await work.run(try await common.settings())
    }
}
