import Tenure
import TenureFoundation

/// A look as a screen of lines, none longer and no more than it has room for.
struct TopScreen {
    struct Size: Hashable, Sendable {
        var columns = 80
        var rows = 24
    }

    private let view: TopView
    private let interval: Duration

    init(_ view: TopView, _ interval: Duration) {
        self.view = view
        self.interval = interval
    }

    func lines(_ size: Size) -> [String] {
        var lines = header + [""]
        // Two titles, and a line between the tables.
        let room = max(size.rows - lines.count - 3, 2)
        let busy = view.queues.sorted { a, b in
            (b.running + b.due, a.name.rawValue) < (a.running + a.due, b.name.rawValue)
        }
        let sessions = view.sessions
        let forQueues = min(busy.count, max(room - sessions.count, room / 2))
        lines += cut(table(queues: busy), to: forQueues, of: "queues")
        lines.append("")
        lines += cut(table(sessions: sessions), to: room - forQueues, of: "sessions")
        return lines.prefix(size.rows).map { String($0.prefix(size.columns)) }
    }

    private var header: [String] {
        let time = TimeText.exact(view.at).dropFirst(11).prefix(8)
        func rate(_ number: KeyPath<TopView.Rates, Double>) -> String {
            view.rates.map { RateText.format($0[keyPath: number]) } ?? "-"
        }
        return [
            "tenure top  \(time)Z  every \(DurationText.format(interval))  q quits",
            "due \(view.sum(\.due))  running \(view.sum(\.running))  later \(view.sum(\.later))  "
                + "waiting \(view.sum(\.waiting))  held \(view.sum(\.held))  "
                + "workers \(view.workers)  coordinators \(view.coordinators)",
            "enqueued \(rate(\.enqueued))  ended \(rate(\.ended))  "
                + "failed attempts \(rate(\.failedAttempts))  discarded \(rate(\.discarded))",
        ] + paused
    }

    private var paused: [String] {
        if view.pausedKinds.isEmpty { return [] }
        let names = view.pausedKinds.map(\.kind.rawValue).joined(separator: ", ")
        return ["paused kinds: \(names)"]
    }

    /// The title and so many rows; the last one says how many are left out.
    private func cut(_ text: String, to rows: Int, of what: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        let count = lines.count - 1
        if count <= rows { return lines }
        let shown = max(rows - 1, 0)
        return lines.prefix(1 + shown) + ["… and \(count - shown) more \(what)"]
    }

    private func table(queues: [QueueStatus]) -> String {
        var table = Table(
            "queue", "state", "due", "running", "later", "held", "limit", "workers", "oldest due",
            longest: 24)
        for queue in queues {
            table.add(
                queue.name.rawValue, queue.pausedAt == nil ? "open" : "paused", String(queue.due),
                String(queue.running), String(queue.later), String(queue.held),
                queue.maxRunning.map { String($0) }, String(queue.workers),
                queue.oldestDue.map { DurationText.format(.seconds(-$0.timeIntervalSinceNow)) })
        }
        return table.text
    }

    private func table(sessions: [SessionStatus]) -> String {
        var table = Table("session", "role", "name", "state", "running", "beat", longest: 30)
        for session in sessions {
            table.add(
                "\(session.id)", session.leads ? "\(session.role)*" : session.role, session.name,
                session.state.rawValue, String(session.running),
                DurationText.format(session.sinceBeat) + " ago")
        }
        return table.text
    }
}
