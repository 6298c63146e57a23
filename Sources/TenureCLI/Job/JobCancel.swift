import ArgumentParser
import Tenure

struct JobCancel: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel jobs.",
        discussion: """
            A pending job is over. A running one is told to stop, at once, and is over when it \
            has let go. Ends with 1 when one of them was over already.

            Example:
              tenure job cancel 01990000-0000-7000-8000-000000000000
            """)

    @Argument(help: "The jobs' ids.", transform: JobArgument.id) var ids: [JobID]
    @Option(help: "Who cancels, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup(title: "Common options") var common: CommonFlags

    private struct Line: Encodable {
        let id: JobID
        let result: String
    }

    func execute() async throws {
        let settings = try await common.settings()
        let lines = try await Database.current(settings) { database in
            let someone = Operator(client: database.client, as: by ?? Whom.name)
            var lines: [Line] = []
            for id in ids {
                lines.append(Line(id: id, result: try await someone.cancel(id).rawValue))
            }
            return lines
        }
        if json {
            Terminal.output(try JSONText.encode(lines))
        } else {
            for line in lines { Terminal.output("\(line.result) \(line.id)") }
        }
        if let line = lines.first(where: { $0.result == Cancelled.unknown.rawValue }) {
            throw Failure.noJob(line.id)
        }
        if lines.contains(where: { $0.result == Cancelled.finished.rawValue }) {
            throw ExitCode(Exit.findings)
        }
    }
}
