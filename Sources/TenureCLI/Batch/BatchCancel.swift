import ArgumentParser
import Content
import FoundationEssentials
import Tenure

struct BatchCancel: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a batch with all of its jobs, for good.",
        discussion: """
            From then on none of its jobs starts, commits or comes in; running ones are told to \
            stop, and pending ones move to history. With --wait it waits until all have let go.

            Example:
              tenure batch cancel 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --wait

            Exit codes: 0 cancelled, 1 it had ended before, 2 no such batch.
            """)

    @Argument(help: "The batch's id, as batch list prints it.") var batch: String
    @Flag(help: "Wait until none of its jobs runs.") var wait = false
    @Option(help: "Who cancels, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let id = try JobArgument.batch(batch)
        let settings = try await common.settings()
        let (line, isNews) = try await Database.with(settings) { database in
            guard let before = try await database.inspector.progress(ofBatch: id) else {
                throw Failure(
                    "there is no batch \(id.uuidString.lowercased()), or it ended long ago and is "
                        + "forgotten; see tenure batch list --all")
            }
            try await cancel(id, database)
            if wait { try await database.client.end(ofBatch: id) }
            let after = try await database.inspector.progress(ofBatch: id) ?? before
            return (BatchLine(id, after, nil, counted: true), before.endedAt == nil)
        }
        Terminal.output(json ? try JSONText.encode(line) : "\(line.state.rawValue): \(line.text)")
        if !isNews { throw ExitCode(Exit.findings) }
    }

    private func cancel(_ id: UUID, _ database: Database) async throws {
        let check = SiteCheck(pool: database.pool, client: database.client)
        if try await check.visits(id) != nil {
            return try await check.cancel(id, by: by ?? Whom.name)
        }
        try await Operator(client: database.client, as: by ?? Whom.name).cancel(batch: id)
    }
}
