import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct BatchShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show where a batch stands, with all its numbers.",
        discussion: """
            Its jobs: tenure job list --batch ID.

            Example:
              tenure batch show 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11
              tenure batch show 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --graph dot | dot -Tsvg
            """)

    @Argument(help: "The batch's id, as batch list prints it.", transform: JobArgument.batch)
    var batch: UUID
    @Option(help: "Draw which of its jobs wait for which: text or dot.")
    var graph: BatchDrawing.Form?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if graph != nil, json { throw ValidationError("give --graph or --json, not both") }
    }

    func report(_ database: Database) async throws -> BatchLook {
        let progress = try await BatchLook.find(batch, database.inspector)
        let check = SiteCheck(pool: database.pool, client: database.client)
        var look = BatchLook(batch, progress, try await check.visits(batch), counted: true)
        if let graph {
            look.drawing = BatchDrawing(try await database.inspector.graph(ofBatch: batch))
                .drawn(as: graph)
        }
        return look
    }
}
