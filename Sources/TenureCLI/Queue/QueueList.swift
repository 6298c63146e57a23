import ArgumentParser
import FoundationEssentials
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
            QueueList.self, QueueShow.self, QueuePause.self, QueueResume.self, QueueDrain.self,
            QueueLimit.self, QueueCapacity.self,
        ])
}

struct QueueList: TenureCommand {
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

    func execute() async throws {
        let settings = try await common.settings()
        let queues = try await Database.current(settings) { try await $0.inspector.queues() }
        if json { return Terminal.output(try JSONText.encode(queues.map(QueueOutput.init))) }
        if queues.isEmpty { return Terminal.line("no queues: no job and no worker names one") }
        var table = Table(
            "queue", "state", "due", "running", "claimed", "later", "waiting", "held", "limit",
            "capacity", "workers", "oldest due")
        for queue in queues {
            let paused = queue.pausedAt.map { _ in "paused by \(queue.pausedBy ?? "someone")" }
            table.add(
                queue.name.rawValue, paused ?? "open", String(queue.due), String(queue.running),
                String(queue.claimed),
                String(queue.later), String(queue.waiting), String(queue.held),
                queue.maxRunning.map { String($0) }, queue.capacity.map { String($0) },
                String(queue.workers),
                queue.oldestDue.map { TimeText.relative($0) })
        }
        Terminal.output(table.text)
    }
}

/// A queue for programs.
struct QueueOutput: Encodable {
    let name: String
    let paused: Bool
    @OrNull var pausedAt: Date?
    @OrNull var pausedBy: String?
    @OrNull var maxRunning: Int?
    @OrNull var capacity: Int?
    let due: Int
    let running: Int
    let claimed: Int
    let later: Int
    let waiting: Int
    let held: Int
    let workers: Int
    @OrNull var oldestDue: Date?

    init(_ queue: QueueStatus) {
        name = queue.name.rawValue
        paused = queue.pausedAt != nil
        pausedAt = queue.pausedAt
        pausedBy = queue.pausedBy
        maxRunning = queue.maxRunning
        capacity = queue.capacity
        due = queue.due
        running = queue.running
        claimed = queue.claimed
        later = queue.later
        waiting = queue.waiting
        held = queue.held
        workers = queue.workers
        oldestDue = queue.oldestDue
    }
}
