import ArgumentParser
import FoundationEssentials
import Tenure

struct BatchList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List batches, the newest first.",
        discussion: """
            open: it has jobs left, or may take more. cancelling: some of its jobs have not let go \
            yet. What has ended of a batch is counted by tenure batch show alone.

            Example:
              tenure batch list
              tenure batch list --all --limit 200 --json
            """)

    @Flag(help: "Those that have ended too, as long as they are remembered.") var all = false
    @Option(help: "The most to list, 1 to 1000.") var limit = 50
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        guard (1...1000).contains(limit) else {
            throw Failure("--limit is \(limit); give 1 to 1000")
        }
        let settings = try await common.settings()
        let batches = try await Database.current(settings) {
            try await $0.inspector.batches(ended: all, limit: limit)
        }
        if json {
            let lines = batches.map { BatchLine($0.id, $0.progress, nil) }
            return Terminal.output(try JSONText.encode(lines))
        }
        if batches.isEmpty {
            return Terminal.line(all ? "no batches" : "no batches are open; see also --all")
        }
        var table = Table("batch", "state", "started", "unfinished", "running", "held", "follow-up")
        for batch in batches {
            let progress = batch.progress
            table.add(
                batch.id.uuidString.lowercased(), progress.state.rawValue,
                TimeText.relative(progress.startedAt), String(progress.unfinished),
                String(progress.running), String(progress.held),
                progress.followUpRefused.map { "refused: \($0)" })
        }
        Terminal.output(table.text)
    }
}
