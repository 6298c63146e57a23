import ArgumentParser
import Content
import Tenure

struct Explain: TenureCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what happened to a URL, what holds it back, and when it is tried next.",
        discussion: """
            Asks nobody but the database.

            Example:
              tenure explain https://example.org/page
            """)

    @Argument(help: "http://… or https://…") var url: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let found = try await Database.product(common) { database in
            try await Explainer(
                client: database.client, pool: database.pool, queue: QueueName(queue.queue)
            ).explain(url)
        }
        Terminal.output(json ? try JSONText.encode(ExplainOutput(found)) : ExplainText.text(found))
    }
}
