import Content
import FoundationEssentials
import Glibc
import ServiceLifecycle
import Tenure

/// One check from the command line: with the workers that are there, or with its own.
struct CheckSession: Sendable {
    let database: Database
    let common: CommonFlags
    let workers: Int?
    let lease: String
    /// A folder is served on this machine alone: other machines' workers can't reach it.
    let needsOwnWorkers: Bool
    private static let usualWorkers = 2

    func run(
        _ options: SiteCheckOptions,
        _ start: @escaping @Sendable (SiteCheck, SiteCheckOptions) async throws -> UUID
    ) async throws -> CheckReport {
        var options = options
        let crew = try await crew()
        if crew > 0 { options.queue = QueueName("check-\(getpid())") }
        let check = SiteCheck(pool: database.pool, client: database.client)
        let run = try await start(check, options)
        return try await withThrowingTaskGroup(of: CheckReport?.self) { [options] group in
            defer { group.cancelAll() }
            for number in 0..<crew {
                group.addTask {
                    try await child(number + 1, options.queue).run()
                    return nil
                }
            }
            group.addTask { try await watch(check, run) }
            for try await step in group {
                if let report = step { return report }
            }
            throw CancellationError()
        }
    }

    /// How many workers to start.
    private func crew() async throws -> Int {
        if let workers { return workers }
        if needsOwnWorkers { return Self.usualWorkers }
        let alive = try await database.inspector.sessions().filter { $0.state == .live }
        let isServed = alive.contains { $0.kinds.contains(ContentFetch.kind) }
        return isServed ? 0 : Self.usualWorkers
    }

    private func child(_ number: Int, _ queue: QueueName) -> ChildWorker {
        var worker: [Setting: String] = [
            .queues: "\(queue):8", .lease: lease, .grace: "1s", .poll: "250ms",
        ]
        if common.logLevel == nil { worker[.logLevel] = "error" }
        return ChildWorker(
            number: number, arguments: ChildArguments.make(common, worker, number: number),
            databaseURL: database.shared?.conninfo ?? database.settings.databaseURL ?? "",
            grace: .seconds(1), logger: database.logger)
    }

    private func watch(_ check: SiteCheck, _ run: UUID) async throws -> CheckReport {
        defer { Terminal.endProgress() }
        do {
            _ = try await check.wait(run) { Terminal.progress(Self.line($0)) }
        } catch is CancellationError {
            try await CheckCancellation.stop(check, run)
            throw CancellationError()
        }
        return try await check.report(run)
    }

    private static func line(_ progress: CheckProgress) -> String {
        let broken = progress.targets[.broken, default: 0]
        let retries = progress.retries > 0 ? ", \(progress.retries) retries" : ""
        return "\(progress.visited)/\(progress.total) URLs, \(progress.pages) pages, "
            + "\(progress.references) references, \(broken) broken\(retries)"
    }
}

enum CheckCancellation {
    /// Whoever pressed Ctrl-C has cancelled this task; the run is stopped all the same.
    static func stop(_ check: SiteCheck, _ run: UUID) async throws {
        try await Task { try await check.cancel(run, by: "tenure check, interrupted") }.value
    }
}

extension Database {
    /// A private database is brought up to date without asking; another one has its operator.
    func prepareForCheck() async throws {
        if shared != nil {
            _ = try await migrate()
        } else {
            for set in MigrationSet.all { try await migrator(set).requireCurrent() }
        }
    }
}
