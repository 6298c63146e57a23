import ArgumentParser
import FoundationEssentials
import Tenure

struct KindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kind", abstract: "List, pause and resume kinds of jobs.",
        discussion: """
            Example:
              tenure kind list
              tenure kind pause report --reason "the renderer leaks"
            """,
        subcommands: [KindList.self, KindPause.self, KindResume.self])
}

struct KindList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the kinds and what their jobs are doing.",
        discussion: """
            Over all queues. due: their run time has come; without a worker that knows the kind \
            they wait on. later: they have a run time ahead. waiting: for other jobs. held: a \
            worker could not read their payload. deaths: processes that died lately while they \
            ran it.

            Example:
              tenure kind list --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let kinds = try await Database.current(settings) { try await $0.inspector.kinds() }
        if json { return Terminal.output(try JSONText.encode(kinds.map(KindOutput.init))) }
        if kinds.isEmpty { return Terminal.line("no kinds: no job and no worker names one") }
        var table = Table(
            "kind", "state", "due", "running", "claimed", "later", "waiting", "held", "workers",
            "deaths")
        for kind in kinds {
            let paused = kind.pausedAt.map { _ in "paused by \(kind.pausedBy ?? "someone")" }
            table.add(
                kind.kind.rawValue, paused ?? "open", String(kind.due), String(kind.running),
                String(kind.claimed),
                String(kind.later), String(kind.waiting), String(kind.held),
                String(kind.workers), String(kind.deaths))
        }
        Terminal.output(table.text)
        for kind in kinds {
            guard let reason = kind.reason else { continue }
            Terminal.line("\(kind.kind): \(JobStory.printable(reason))")
        }
    }
}

/// A kind for programs.
struct KindOutput: Encodable {
    let name: String
    let paused: Bool
    @OrNull var pausedAt: Date?
    @OrNull var pausedBy: String?
    @OrNull var reason: String?
    let due: Int
    let running: Int
    let claimed: Int
    let later: Int
    let waiting: Int
    let held: Int
    let workers: Int
    let deaths: Int

    init(_ kind: KindStatus) {
        name = kind.kind.rawValue
        paused = kind.pausedAt != nil
        pausedAt = kind.pausedAt
        pausedBy = kind.pausedBy
        reason = kind.reason
        due = kind.due
        running = kind.running
        claimed = kind.claimed
        later = kind.later
        waiting = kind.waiting
        held = kind.held
        workers = kind.workers
        deaths = kind.deaths
    }
}
