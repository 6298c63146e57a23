import Tenure

/// What only the database knows, looked up when a coordinator is scraped. Each look is bounded,
/// however long the queues are; counting reads the most, in proportion to how far it counts.
struct DatabaseFigures: Sendable {
    let inspector: Inspector

    /// A database that doesn't answer is a figure too.
    func text() async -> String {
        var text = PrometheusText()
        do {
            let waits = try await inspector.oldestDue()
            let sessions = try await inspector.sessions(limit: 10_000)
            let late = try await inspector.overdue().schedules
            let depths = try await dueJobs(
                Set(waits.map(\.queue)), Set(sessions.flatMap(\.queues)))
            text.begin("tenure_queue_due_jobs", "gauge")
            for (queue, due) in depths.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                text.add(
                    "tenure_queue_due_jobs", PrometheusText.labels([("queue", queue.rawValue)]),
                    Double(due))
            }
            text.begin("tenure_queue_oldest_due_seconds", "gauge")
            for wait in waits {
                text.add(
                    "tenure_queue_oldest_due_seconds",
                    PrometheusText.labels([("queue", wait.queue.rawValue)]),
                    wait.oldest / .seconds(1))
            }
            text.begin("tenure_schedules_late", "gauge")
            text.add("tenure_schedules_late", "", Double(late))
            add(sessions, to: &text)
        } catch {
            text = PrometheusText()
            text.begin("tenure_database_up", "gauge")
            text.add("tenure_database_up", "", 0)
            return text.text
        }
        text.begin("tenure_database_up", "gauge")
        text.add("tenure_database_up", "", 1)
        return text.text
    }

    /// How many jobs are due, counted to 10,000 in ten queues, and to fewer in more; zero in those
    /// that somebody waits for work of.
    private func dueJobs(
        _ waiting: Set<QueueName>, _ subscribed: Set<QueueName>
    ) async throws -> [QueueName: Int] {
        var due = Dictionary(uniqueKeysWithValues: subscribed.map { ($0, 0) })
        if waiting.isEmpty { return due }
        let most = max(100, min(10_000, 100_000 / waiting.count))
        for queue in try await inspector.queues(Array(waiting), countingTo: most) {
            due[queue.name] = queue.due
        }
        return due
    }

    private func add(_ sessions: [SessionStatus], to text: inout PrometheusText) {
        text.begin("tenure_sessions", "gauge")
        let groups = Dictionary(grouping: sessions) { session in
            PrometheusText.labels([("role", session.role), ("state", session.state.rawValue)])
        }
        for (labels, members) in groups.sorted(by: { $0.key < $1.key }) {
            text.add("tenure_sessions", labels, Double(members.count))
        }
    }
}
