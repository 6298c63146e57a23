import ArgumentParser
import Tenure

struct JobRetry: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Run jobs again.",
        discussion: """
            A pending or held job runs now. A finished one runs as a new job, whose id is \
            printed; it is marked as retried, and left alone from then on. A job with a key \
            gives way to an unfinished one of its key. One that waited for other jobs waits for \
            them again, or for those that were run in their stead. Ends with 1 when one of those \
            named is running, was retried before, or another of its key stands for it.

            Example:
              tenure job retry 01990000-0000-7000-8000-000000000000
              tenure job retry --all --state discarded --kind report --error timeout
            """)

    @OptionGroup var selection: JobSelection
    @Flag(help: "Finished jobs that were retried before, too: once more. Only with ids.")
    var again = false
    @Option(help: "Why, for the audit log.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try selection.requireState(.retry)
        if again, selection.all {
            throw ValidationError(
                "--again needs ids: with --all it would run each of them once more at every call")
        }
    }

    func execute() async throws {
        var work = JobWork(verb: .retry, selection: selection, by: nil, json: json)
        work.again = again
        work.refusals = [.kept: "it runs or waits already, or another job stands for it"]
        work.reason = reason
        try await work.run(try await common.settings())
    }
}
