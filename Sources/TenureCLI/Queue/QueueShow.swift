import ArgumentParser
import Tenure

struct QueueShow: ReportingCommand {
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

    func report(_ database: Database) async throws -> QueueReport {
        let inspector = database.inspector
        let queue = try await inspector.queue(name)
        return QueueReport(
            queue: queue, kinds: try await inspector.kinds(of: queue.name),
            sessions: try await inspector.sessions(of: queue.name),
            lastHour: try await inspector.statistics(since: .seconds(3600), queue: queue.name),
            delays: try await inspector.delays(of: queue))
    }
}

/// A queue in full.
struct QueueReport: Report {
    let queue: QueueStatus
    let kinds: [QueueKind]
    let sessions: [SessionStatus]
    let lastHour: [KindStatistics]
    /// What keeps its due jobs from running.
    let delays: [JobDelay]

    var text: String {
        var parts = [sheet]
        if !kinds.isEmpty { parts.append(Table(kinds).text) }
        if !sessions.isEmpty { parts.append(workers) }
        if !lastHour.isEmpty { parts.append("ended in the last hour\n" + Table(lastHour).text) }
        return parts.joined(separator: "\n\n")
    }

    private var sheet: String {
        let paused = queue.pausedAt.map {
            "paused by \(queue.pausedBy ?? "someone") \(TimeText.relative($0))"
        }
        var sheet = Sheet()
        sheet.add("queue", queue.name.rawValue)
        sheet.add("state", paused ?? "open")
        sheet.add(
            "limit", queue.maxRunning.map { "\($0) running at a time, over all workers" } ?? "none")
        sheet.add("rate", queue.minInterval.map { rate($0) })
        sheet.add(
            "ageing",
            queue.ageAfter.map { "what is due for \(DurationText.format($0)) goes to the front" })
        sheet.add("capacity", queue.capacity.map { "\($0) pending, then enqueues are refused" })
        sheet.add("letters", queue.letters.map(\.text))
        sheet.add("due", String(queue.due))
        sheet.add("oldest due", queue.oldestDue.map { TimeText.full($0) })
        for delay in delays { sheet.add("because", delay.line) }
        sheet.add("running", String(queue.running))
        sheet.add("claimed", queue.claimed == 0 ? nil : "\(queue.claimed), and not begun")
        sheet.add("later", String(queue.later))
        sheet.add("waiting", String(queue.waiting))
        sheet.add("held", String(queue.held))
        sheet.add("workers", String(queue.workers))
        return sheet.text
    }

    private func rate(_ pause: Duration) -> String {
        "a start every \(DurationText.format(pause))"
            + (queue.burst.map { $0 > 1 ? ", \($0) at once after a quiet time" : "" } ?? "")
    }

    private var workers: String {
        var table = Table("session", "worker", "state", "running", "claimed")
        for worker in sessions {
            table.add(
                "\(worker.id)", worker.name, worker.state.rawValue, String(worker.running),
                String(worker.claimed))
        }
        return table.text
    }
}

extension QueueKind: TableRow {
    static let titles = ["kind", "due", "running", "claimed", "later", "waiting", "held"]

    var cells: [String?] {
        [
            kind.rawValue, "\(due)", "\(running)", "\(claimed)", "\(later)", "\(waiting)",
            "\(held)",
        ]
    }
}

extension Inspector {
    private static let namedInFailures = 100

    /// - Throws: `Failure` that names the queues there are, the first hundred.
    func queue(_ name: String) async throws -> QueueStatus {
        if let found = try await queue(QueueName(name)) { return found }
        let some = try await queues(
            after: "", limit: Self.namedInFailures, countingTo: 1,
            findsOldest: false)
        let names = some.map(\.name.rawValue).joined(separator: ", ")
        throw Failure(
            "no job, worker or setting names the queue \"\(name)\""
                + (names.isEmpty ? "" : "; there are \(names)"))
    }
}
