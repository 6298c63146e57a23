import ArgumentParser
import Tenure

struct WorkerStop: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Ask workers or coordinators to end in good order.",
        discussion: """
            The process learns it with its next beat, takes no new jobs, gives running ones its \
            grace period, hands the rest back with their attempt refunded, and exits with 0. Of \
            what tenure up runs, coordinator and workers, each is stopped by itself and not \
            started again; the others go on, with the private PostgreSQL, and up ends with the \
            last of them. A session that is over already, or silent, can't hear it.

            Example:
              tenure worker stop 17
              tenure worker stop --all --wait --timeout 2m
            """)

    @Argument(help: "The sessions' numbers, or their names.") var sessions: [String] = []
    @Flag(help: "Every live worker. Coordinators go on.") var all = false
    @Flag(help: "Wait until they have ended.") var wait = false
    @Option(
        help: "How long to wait, such as 30s or 2m. (default: as long as it takes)",
        transform: JobArgument.age)
    var timeout: Duration?
    @Option(help: "Who stops them, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    private static let look = Duration.milliseconds(250)

    private struct Line: Encodable {
        enum Result: String, Encodable { case stopping, stopped, over }

        let session: Int64
        let name: String
        var result: Result
        var running: Int
    }

    func validate() throws {
        if all, !sessions.isEmpty { throw ValidationError("give sessions, or --all, not both") }
        if !all, sessions.isEmpty {
            throw ValidationError("give sessions, as worker list shows them, or --all")
        }
        if timeout != nil, !wait { throw ValidationError("--timeout needs --wait") }
    }

    func execute() async throws {
        let settings = try await common.settings()
        let lines = try await Database.current(settings) { database in
            let asked = try await ask(database)
            return wait ? try await waitForEnd(of: asked, database) : asked
        }
        if json {
            Terminal.output(try JSONText.encode(lines))
        } else if lines.isEmpty {
            Terminal.output("no worker runs")
        } else {
            for line in lines { Terminal.output(text(line)) }
        }
        let isUndone = lines.contains { $0.result == .over || wait && $0.result == .stopping }
        if isUndone { throw ExitCode(Exit.findings) }
    }

    private func text(_ line: Line) -> String {
        let who = "\(line.session) (\(line.name))"
        return switch line.result {
        case .stopping where wait:
            "\(who) has not ended yet: \(CountText.of(line.running, "job", do: "run")); look with: "
                + "tenure worker show \(line.session)"
        case .stopping: "stopping \(who): \(CountText.of(line.running, "job", do: "run"))"
        case .over: "\(who) was over already"
        case .stopped: "stopped \(who)"
        }
    }

    private func ask(_ database: Database) async throws -> [Line] {
        let inspector = database.inspector
        var found: [SessionStatus] = []
        for name in sessions {
            found.append(try await SessionArgument.find(name, inspector, ended: true))
        }
        if all { found = try await inspector.sessions().filter { $0.role == "worker" } }
        let someone = Operator(client: database.client, as: by ?? Whom.name, because: reason)
        var lines: [Line] = []
        for session in found {
            let isAlive = try await someone.stop(session.id)
            if !isAlive, all { continue }
            lines.append(
                Line(
                    session: session.id.rawValue, name: session.name,
                    result: isAlive ? .stopping : .over, running: session.running))
        }
        return lines
    }

    private func waitForEnd(of asked: [Line], _ database: Database) async throws -> [Line] {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var lines = asked
        defer { Terminal.endProgress() }
        while true {
            let live = try await database.inspector.sessions(limit: 10_000)
                .filter { $0.endedAt == nil }
            let running = Dictionary(
                uniqueKeysWithValues: live.map { ($0.id.rawValue, $0.running) })
            for index in lines.indices where lines[index].result == .stopping {
                lines[index].running = running[lines[index].session] ?? 0
                if running[lines[index].session] == nil { lines[index].result = .stopped }
            }
            let left = lines.filter { $0.result == .stopping }
            if left.isEmpty { return lines }
            if let deadline, ContinuousClock.now >= deadline { return lines }
            let jobs = left.map(\.running).reduce(0, +)
            Terminal.progress(
                "waiting for \(CountText.of(left.count, "session")), with "
                    + CountText.of(jobs, "running job"))
            try await Task.sleep(for: Self.look)
        }
    }
}
