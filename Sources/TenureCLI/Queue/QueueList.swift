import ArgumentParser
import Tenure

struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List, show, pause, resume, drain and limit queues, and set their capacity.",
        discussion: """
            Example:
              tenure queue list
              tenure queue pause mail
            """,
        subcommands: [
            QueueList.self, QueueShow.self, Pause<PausableQueue>.self, Resume<PausableQueue>.self,
            QueueDrain.self, QueueLimit.self, QueueRate.self, QueueAge.self, QueueCapacity.self,
            QueueLetters.self,
        ])
}

struct QueueList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the queues and what is in them.",
        discussion: """
            due: their run time has come; those whose lane is full, or whose kind no worker knows, \
            wait on. later: they have a run time ahead. waiting: for other jobs. held: a worker \
            could not read their payload.

            Example:
              tenure queue list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Listing<QueueStatus> {
        Listing(
            try await database.inspector.queues(),
            none: "no queues: no job and no worker names one")
    }
}

extension QueueStatus: TableRow {
    static let titles = [
        "queue", "state", "due", "running", "claimed", "later", "waiting", "held", "limit",
        "capacity", "workers", "oldest due",
    ]

    var cells: [String?] {
        [
            name.rawValue, pausedAt == nil ? "open" : "paused by \(pausedBy ?? "someone")",
            "\(due)", "\(running)", "\(claimed)", "\(later)", "\(waiting)", "\(held)",
            limits, capacity.map { "\($0)" }, "\(workers)",
            oldestDue.map { TimeText.relative($0) },
        ]
    }

    private var limits: String? {
        let pace = PaceText.text(minInterval, burst).map { "one in \($0)" }
        let parts = [maxRunning.map { "\($0)" }, pace].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
