import ArgumentParser
import Tenure

struct JobDelete: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Take finished jobs out of history.",
        discussion: """
            With their payload, result and errors; nothing brings them back. Unfinished ones \
            stay: cancel or discard them first. Ends with 1 when one of those named was \
            unfinished. History forgets by itself; this is for what must go now.

            Example:
              tenure job delete 01990000-0000-7000-8000-000000000000
              tenure job delete --all --state discarded --kind report --older-than 1d
            """)

    @OptionGroup var selection: JobSelection
    @Option(help: "Why, for the audit log.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws { try selection.requireState(.delete) }

    func execute() async throws {
        var work = JobWork(verb: .delete, selection: selection, by: nil, json: json)
        work.refusals = [.unfinished: "cancel or discard it first"]
        work.reason = reason
        try await work.run(try await common.settings())
    }
}
