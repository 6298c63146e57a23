import ArgumentParser
import Tenure
import TenureFoundation
import TenureWorker

struct Enqueue: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "enqueue", abstract: "Add a job.",
        discussion: """
            A key says what the job is about, and the mode what happens to the key's other jobs. \
            superseding: older ones are stopped and can't commit. coalescing: the running one \
            may finish, one successor has the newest payload. keeping: an unfinished one stays \
            instead. debounced: the pending one moves to now + --after, at most --max-wait. \
            Without --key, content-fetch and dependency-check have one of their mode and URL, \
            such as "article https://example.org/", keeping.

            --expires-in and --not-after say until when it may begin: a job that has not, also \
            for a next attempt, is discarded, with a reason that begins with expired.

            A queue that is as full as its capacity allows (tenure queue capacity) refuses the job \
            at once; with --wait-when-full it is tried again until there is room, or the time is \
            over.

            A kind that neither this program nor a live worker knows is refused, unless --force.

            Example:
              tenure enqueue content-fetch --key home --payload '{"url":"…"}'
              tenure enqueue report --payload @report.json --after 10m --priority 2
              tenure enqueue remind --payload '{"to":"ada"}' --expires-in 5m
              tenure enqueue report --queue mail --wait-when-full 30s
            """)
    private static let longestWait: Duration = .seconds(86_400)

    @OptionGroup var job: EnqueueFlags
    @Flag(help: "Enqueue a kind that nobody knows.") var force = false
    @Option(
        help: ArgumentHelp(
            "Wait so long for room in a full queue, up to 24h. (default: it is refused at once)",
            valueName: "duration"))
    var waitWhenFull: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings()
        let new = try job.newJob()
        let whenFull = try whenFull()
        let enqueued = try await Database.current(settings) { database in
            if !force { try await Self.check(new.kind, database) }
            do {
                return try await database.client.enqueue([new], whenFull: whenFull)[0]
            } catch let error as TenureError {
                guard let full = error.cause as? QueueFull else { throw error }
                throw Self.failure(full, whenFull)
            }
        }
        try Terminal.report(enqueued, json: json)
    }

    private func whenFull() throws -> WhenFull {
        guard let waitWhenFull else { return .fail }
        return .wait(
            try SettingValue.duration(
                .init(text: waitWhenFull, source: "--wait-when-full"),
                .milliseconds(1)...Self.longestWait))
    }

    /// As the library says it, with the flag in the place of its parameter.
    private static func failure(_ full: QueueFull, _ whenFull: WhenFull) -> Failure {
        let most = CountText.of(full.capacity, "pending job")
        let state = "queue \(full.queue) has \(full.pending) of at most \(most)"
        let raise = "raise the capacity: tenure queue capacity \(full.queue) \(full.capacity * 2)"
        return switch whenFull {
        case .fail:
            Failure(
                "\(state), and 1 more doesn't fit; wait for room with --wait-when-full 30s, let "
                    + "more workers run, or \(raise)")
        case .wait(let longest):
            Failure(
                "\(state), and there was no room within \(DurationText.format(longest)); wait "
                    + "longer, let more workers run, or \(raise)")
        }
    }

    fileprivate static func remark(_ result: EnqueuedJob.Result) -> String {
        switch result {
        case .enqueued: ""
        case .updated: ": the key's pending job has this payload now, and no other was added"
        case .kept: ": the key has this unfinished job, and nothing was added"
        }
    }

    /// - Throws: `Failure` when neither this program nor a live worker knows the kind.
    static func check(_ kind: JobKind, _ database: Database) async throws {
        let own = try database.parts.registry().kinds
        if own.contains(kind) { return }
        let live = try await database.inspector.liveKinds()
        if live.contains(kind) { return }
        let known = Set(own + live).map(\.rawValue).sorted().joined(separator: ", ")
        throw Failure(
            "no program or live worker knows the kind \"\(kind)\""
                + (known.isEmpty ? "" : "; known kinds are \(known)")
                + ". Check the name, or add --force to enqueue it for a worker to come")
    }
}

/// What an enqueue came to.
extension EnqueuedJob: Report {
    var text: String {
        let generation = generation.map { " generation \($0)" } ?? ""
        return "\(result.rawValue) \(id)\(generation)\(Enqueue.remark(result))"
    }
}
