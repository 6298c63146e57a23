import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct BatchCancel: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a batch with all of its jobs, for good.",
        discussion: """
            From then on none of its jobs starts, commits or comes in; running ones are told to \
            stop, and pending ones move to history. With --wait it waits until all have let go.

            Example:
              tenure batch cancel 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --wait

            Exit codes: 0 cancelled, 1 it had ended before, 2 no such batch.
            """)

    @Argument(help: "The batch's id, as batch list prints it.", transform: JobArgument.batch)
    var batch: UUID
    @Flag(help: "Wait until none of its jobs runs.") var wait = false
    @Option(help: "Who cancels, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> CancelledBatch {
        let before = try await BatchLook.find(batch, database.inspector)
        try await cancel(batch, database)
        if wait { try await database.client.end(ofBatch: batch) }
        let after = try await database.inspector.progress(ofBatch: batch) ?? before
        return CancelledBatch(
            look: BatchLook(batch, after, nil, counted: true), hadEnded: before.endedAt != nil)
    }

    private func cancel(_ id: UUID, _ database: Database) async throws {
        let check = SiteCheck(pool: database.pool, client: database.client)
        if try await check.visits(id) != nil {
            return try await check.cancel(id, by: by ?? Whom.name, because: reason)
        }
        try await Operator(client: database.client, as: by ?? Whom.name, because: reason)
            .cancel(batch: id)
    }
}

struct CancelledBatch: Report {
    let look: BatchLook
    let hadEnded: Bool

    func encode(to encoder: any Encoder) throws { try look.encode(to: encoder) }
    var text: String { "\(look.progress.state.rawValue): \(look.line)" }
    var hasFindings: Bool { hadEnded }
}
