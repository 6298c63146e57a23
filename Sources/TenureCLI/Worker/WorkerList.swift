import ArgumentParser
import FoundationEssentials
import Tenure

struct WorkerList: TenureCommand {
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

    func execute() async throws {
        let settings = try await common.settings()
        let sessions = try await Database.current(settings) {
            try await $0.inspector.sessions(ended: all)
        }
        if json { return Terminal.output(try JSONText.encode(sessions.map(SessionOutput.init))) }
        if sessions.isEmpty {
            return Terminal.output("no worker runs; start one with: tenure worker")
        }
        var table = Table(
            "session", "role", "name", "state", "running", "claimed", "beat", "started", "queues")
        for session in sessions {
            table.add(
                "\(session.id)", session.leads ? "\(session.role), leads" : session.role,
                session.name,
                session.state.rawValue, String(session.running), String(session.claimed),
                DurationText.format(session.sinceBeat) + " ago",
                TimeText.relative(session.startedAt),
                session.queues.map(\.rawValue).joined(separator: ","))
        }
        Terminal.output(table.text)
    }
}

/// A session for programs.
struct SessionOutput: Encodable {
    let id: Int64
    let role: String
    let name: String
    let version: String
    let state: String
    let leads: Bool
    let leaseSeconds: Double
    let sinceBeatSeconds: Double
    let startedAt: Date
    @OrNull var endedAt: Date?
    let running: Int
    let claimed: Int
    let queues: [String]
    let kinds: [String]
    @OrNull var stopBy: String?

    init(_ session: SessionStatus) {
        id = session.id.rawValue
        role = session.role
        name = session.name
        version = session.version
        state = session.state.rawValue
        leads = session.leads
        leaseSeconds = session.lease / .seconds(1)
        sinceBeatSeconds = session.sinceBeat / .seconds(1)
        startedAt = session.startedAt
        endedAt = session.endedAt
        running = session.running
        claimed = session.claimed
        queues = session.queues.map(\.rawValue)
        kinds = session.kinds.map(\.rawValue)
        stopBy = session.stopBy
    }
}
