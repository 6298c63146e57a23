import ArgumentParser
import FoundationEssentials
import Tenure

struct QueueShow: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one queue: its kinds, its workers, its last hour.",
        discussion: """
            due: their run time has come; those whose lane is full, or whose kind no worker knows, \
            wait on. later: they have a run time ahead. waiting: for other jobs. held: a worker \
            could not read their payload.

            Example:
              tenure queue show mail
            """)

    @Argument(help: "The queue's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    struct View: Sendable {
        let queue: QueueStatus
        let kinds: [QueueKind]
        let workers: [SessionStatus]
        let hour: [KindStatistics]
    }

    func execute() async throws {
        let settings = try await common.settings()
        let view = try await Database.current(settings) { database in
            let inspector = database.inspector
            let queue = try await inspector.queue(name)
            return View(
                queue: queue, kinds: try await inspector.kinds(of: queue.name),
                workers: try await inspector.sessions().filter { $0.queues.contains(queue.name) },
                hour: try await inspector.statistics(since: .seconds(3600), queue: queue.name))
        }
        if json { return Terminal.output(try JSONText.encode(QueueShowOutput(view))) }
        Terminal.output(Self.sheet(view))
        if !view.kinds.isEmpty { Terminal.output("\n" + Self.kinds(view.kinds)) }
        if !view.workers.isEmpty { Terminal.output("\n" + Self.workers(view.workers)) }
        if !view.hour.isEmpty {
            Terminal.output("\nended in the last hour\n" + StatisticsTable.text(view.hour))
        }
    }

    private static func sheet(_ view: View) -> String {
        let queue = view.queue
        let paused = queue.pausedAt.map {
            "paused by \(queue.pausedBy ?? "someone") \(TimeText.relative($0))"
        }
        var sheet = Sheet()
        sheet.add("queue", queue.name.rawValue)
        sheet.add("state", paused ?? "open")
        sheet.add(
            "limit", queue.maxRunning.map { "\($0) running at a time, over all workers" } ?? "none")
        sheet.add("capacity", queue.capacity.map { "\($0) pending, then enqueues are refused" })
        sheet.add("due", String(queue.due))
        sheet.add("oldest due", queue.oldestDue.map { TimeText.full($0) })
        sheet.add("running", String(queue.running))
        sheet.add("claimed", queue.claimed == 0 ? nil : "\(queue.claimed), and not begun")
        sheet.add("later", String(queue.later))
        sheet.add("waiting", String(queue.waiting))
        sheet.add("held", String(queue.held))
        sheet.add("workers", String(queue.workers))
        return sheet.text
    }

    private static func kinds(_ kinds: [QueueKind]) -> String {
        var table = Table("kind", "due", "running", "claimed", "later", "waiting", "held")
        for kind in kinds {
            table.add(
                kind.kind.rawValue, String(kind.due), String(kind.running), String(kind.claimed),
                String(kind.later), String(kind.waiting), String(kind.held))
        }
        return table.text
    }

    private static func workers(_ workers: [SessionStatus]) -> String {
        var table = Table("session", "worker", "state", "running", "claimed")
        for worker in workers {
            table.add(
                "\(worker.id)", worker.name, worker.state.rawValue, String(worker.running),
                String(worker.claimed))
        }
        return table.text
    }
}

extension Inspector {
    /// - Throws: `Failure` that names the queues there are.
    func queue(_ name: String) async throws -> QueueStatus {
        let all = try await queues()
        if let found = all.first(where: { $0.name.rawValue == name }) { return found }
        let names = all.map(\.name.rawValue).joined(separator: ", ")
        throw Failure(
            "no job, worker or setting names the queue \"\(name)\""
                + (names.isEmpty ? "" : "; there are \(names)"))
    }
}

/// A queue in full, for programs.
struct QueueShowOutput: Encodable {
    struct Kind: Encodable {
        let kind: String
        let due: Int
        let running: Int
        let claimed: Int
        let later: Int
        let waiting: Int
        let held: Int
    }

    let queue: QueueOutput
    let kinds: [Kind]
    let sessions: [SessionOutput]
    let lastHour: [StatisticsOutput]

    init(_ view: QueueShow.View) {
        queue = QueueOutput(view.queue)
        kinds = view.kinds.map {
            Kind(
                kind: $0.kind.rawValue, due: $0.due, running: $0.running, claimed: $0.claimed,
                later: $0.later, waiting: $0.waiting, held: $0.held)
        }
        sessions = view.workers.map(SessionOutput.init)
        lastHour = view.hour.map(StatisticsOutput.init)
    }
}
