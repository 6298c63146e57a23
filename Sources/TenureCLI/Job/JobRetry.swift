import ArgumentParser
import Tenure

struct JobRetry: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Run jobs again.",
        discussion: """
            A pending or held job runs now. A finished one runs as a new job, whose id is \
            printed. A job with a key gives way to an unfinished one of its key. Ends with 1 \
            when one of those named is running, or another of its key stands for it.

            Example:
              tenure job retry 01990000-0000-7000-8000-000000000000
              tenure job retry --all --state discarded --kind report --error timeout
            """)

    @OptionGroup var selection: JobSelection
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws { try selection.requireState(.retry) }

    func execute() async throws {
        var work = JobWork(verb: .retry, selection: selection, by: nil, json: json)
        work.refusals = ["kept": "it runs or waits already, or another of its key stands for it"]
        try await work.run(try await common.settings())
    }
}
