import ArgumentParser
import Tenure

struct QueuePause: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Start no more jobs of a queue.",
        discussion: """
            Jobs that run go on. Lasts until it is resumed, over all restarts.

            Example:
              tenure queue pause mail
            """)

    @Argument(help: "The queue's name.") var name: String
    @Option(help: "Who pauses, for those who look later. (default: the user's name)")
    var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let isKnown = try await Database.current(settings) { database in
            let known = try await database.inspector.queues().contains { $0.name.rawValue == name }
            try await Operator(client: database.client, as: by ?? Whom.name)
                .pause(QueueName(name))
            return known
        }
        if json { return Terminal.output(try JSONText.encode(QueueChange(name, "paused"))) }
        let note = isKnown ? "" : "; no job and no worker names it so far"
        Terminal.line("paused \(name)\(note)")
    }
}

/// What became of a queue, for programs.
struct QueueChange: Encodable {
    let queue: String
    let result: String

    init(_ queue: String, _ result: String) {
        self.queue = queue
        self.result = result
    }
}
