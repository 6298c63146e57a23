import ArgumentParser
import Tenure

struct JobDiscard: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Give pending jobs up, for good.",
        discussion: """
            They go to history as discarded, with who did it, and are kept there as long as jobs \
            that failed for good. Running ones stay: cancel them. Ends with 1 when one of those \
            named ran or was over.

            Example:
              tenure job discard 01990000-0000-7000-8000-000000000000
              tenure job discard --all --state retryable --error "no route to host"
            """)

    @OptionGroup var selection: JobSelection
    @Option(help: "Who discards, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for the audit log.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws { try selection.requireFilter(.discard) }

    func execute() async throws {
        var work = JobWork(verb: .discard, selection: selection, by: by, json: json)
        work.states = Set(JobStatus.allCases.filter { !$0.isFinished && $0 != .running })
        work.refusals = [
            .finished: "it was over already", .running: "it runs; use job cancel",
        ]
        work.reason = reason
        try await work.run(try await common.settings())
    }
}
