import ArgumentParser
import Content
import FoundationEssentials
import Tenure

struct BatchShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show where a batch stands, with all its numbers.",
        discussion: """
            Its jobs: tenure job list --batch ID.

            Example:
              tenure batch show 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11
            """)

    @Argument(help: "The batch's id, as batch list prints it.") var batch: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let id = try JobArgument.batch(batch)
        let settings = try await common.settings()
        let line = try await Database.with(settings) { database in
            guard let progress = try await database.inspector.progress(ofBatch: id) else {
                throw Failure(
                    "there is no batch \(id.uuidString.lowercased()), or it ended long ago and is "
                        + "forgotten; see tenure batch list --all")
            }
            let check = SiteCheck(pool: database.pool, client: database.client)
            return BatchLine(id, progress, try await check.visits(id), counted: true)
        }
        Terminal.output(json ? try JSONText.encode(line) : line.sheet)
    }
}
