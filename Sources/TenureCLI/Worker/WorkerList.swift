import ArgumentParser
import Tenure

struct WorkerList: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the sessions of workers and coordinators.",
        discussion: """
            A session is one run of a process. live: it beats. stopping: an operator has asked it \
            to end. silent: no beat for longer than its lease. dead: another session has declared \
            it so. closed: it said goodbye. One coordinator leads, and fires the schedules.

            Example:
              tenure worker list
              tenure worker list --all --json
            """)

    @Flag(help: "Those that have ended too, as long as they are remembered.") var all = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Listing<SessionStatus> {
        Listing(
            try await database.inspector.sessions(ended: all),
            none: "no worker runs; start one with: tenure worker")
    }
}

extension SessionStatus: TableRow {
    static let titles = [
        "session", "role", "name", "state", "running", "claimed", "beat", "started", "queues",
    ]

    var cells: [String?] {
        [
            "\(id)", leads ? "\(role), leads" : role, name, state.rawValue, "\(running)",
            "\(claimed)", DurationText.format(sinceBeat) + " ago", TimeText.relative(startedAt),
            queues.map(\.rawValue).joined(separator: ","),
        ]
    }
}
