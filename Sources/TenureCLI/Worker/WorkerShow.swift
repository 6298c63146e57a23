import ArgumentParser
import Tenure
import TenureFoundation

struct WorkerShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a session: its lease, and what it runs.",
        discussion: """
            Named by its number or its worker's name, as worker list shows them.

            Example:
              tenure worker show 17
              tenure worker show host:4711 --json
            """)

    @Argument(help: "The session's number, or its name.") var session: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> SessionReport {
        let found = try await SessionArgument.find(session, database.inspector, ended: true)
        return SessionReport(session: found, runs: try await database.inspector.runs(of: found.id))
    }
}

/// A session, and what it runs.
struct SessionReport: Report {
    let session: SessionStatus
    let runs: [SessionRun]

    var text: String { sheet + "\n\n" + (runs.isEmpty ? "runs nothing" : Table(runs).text) }

    private var sheet: String {
        var sheet = Sheet()
        sheet.add("session", "\(session.id)")
        sheet.add("role", session.role + (session.leads ? ", leads" : ""))
        sheet.add("name", session.name)
        sheet.add("release", session.version)
        let by = session.state == .stopping ? " by \(session.stopBy ?? "an operator")" : ""
        sheet.add("state", session.state.rawValue + by)
        sheet.add(
            "lease",
            "\(DurationText.format(session.lease)), last beat "
                + "\(DurationText.format(session.sinceBeat)) ago")
        sheet.add("started", TimeText.full(session.startedAt))
        sheet.add("ended", session.endedAt.map { TimeText.full($0) })
        sheet.add(
            "queues",
            session.queues.isEmpty
                ? nil : session.queues.map(\.rawValue).joined(separator: ", "))
        sheet.add(
            "kinds",
            session.kinds.isEmpty ? nil : session.kinds.map(\.rawValue).joined(separator: ", "))
        return sheet.text
    }
}

extension SessionRun: TableRow {
    static let titles = ["runs", "kind", "queue", "key", "attempt", "fence", "for"]

    var cells: [String?] {
        let age = DurationText.format(.seconds(-claimedAt.timeIntervalSinceNow))
        return [
            "\(id)", kind.rawValue, queue.rawValue, key, "\(attempt)", "\(fence)",
            age + (hasBegun ? "" : ", claimed") + (isCancelling ? ", told to stop" : ""),
        ]
    }
}

/// Finds the session that is meant by a number or a name.
enum SessionArgument {
    /// - Throws: `Failure` that says how to find out.
    static func find(
        _ text: String, _ inspector: Inspector, ended: Bool
    ) async throws -> SessionStatus {
        let all = try await inspector.sessions(ended: ended, limit: 10_000)
        let number = Int64(text)
        let found = all.filter { $0.id.rawValue == number || $0.name == text }
        // Of several runs of one name the one that lives is meant.
        let living = found.filter { $0.endedAt == nil }
        if let only = living.count == 1 ? living.first : found.first, living.count < 2 {
            return only
        }
        if living.count > 1 {
            let numbers = living.map { "\($0.id)" }.joined(separator: ", ")
            throw Failure("\(living.count) sessions have the name \(text): give one of \(numbers)")
        }
        throw Failure(
            "there is no \(ended ? "" : "live ")session \"\(text)\"; look with: "
                + "tenure worker list --all")
    }
}
