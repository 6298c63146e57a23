import ArgumentParser
import Tenure

struct JobKeys: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Count the jobs that are sealed with each encryption key.",
        discussion: """
            unfinished: their payload, a step or a signal is sealed with the key, the result of \
            one that they wait for, or what the end of a batch enqueues or is told of: a worker \
            needs it to run them. finished: their payload, result or a step is, in history; \
            without the key they can't be read, or run again. Reads all jobs, so it takes a while \
            where there are many.

            Example:
              tenure job keys --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Listing<SealedJobs> {
        Listing(try await database.inspector.sealedJobs(), none: "no sealed jobs")
    }
}

extension SealedJobs: TableRow {
    static let titles = ["key", "kind", "unfinished", "finished"]

    var cells: [String?] { [key, kind.rawValue, "\(unfinished)", "\(finished)"] }
}
