import Content
import ServiceLifecycle
import Tenure
import TenureFoundation

/// One check from the command line: with workers of its own, or with those that are there.
struct CheckSession: Sendable {
    let database: Database
    let common: CommonFlags
    /// A folder is served for it, on this machine.
    var isServing = false
    /// None of its own: those that serve the queue do it, whoever they are.
    let workers: Int
    let lease: String

    func run(
        _ options: SiteCheckOptions,
        _ start: @escaping @Sendable (SiteCheck, SiteCheckOptions, JobID) async throws -> UUID
    ) async throws -> CheckReport {
        var options = options
        let allowed = options.allowedAddresses + (isServing ? ["127.0.0.1"] : [])
        // Its own workers allow what the command line does, for the checked site alone; others go
        // by their own settings.
        let crew = Crew(
            database: database, common: common, lease: lease,
            environment: [
                "TENURE_CONTENT_ALLOW_SITES": allowed.joined(separator: ",")
            ])
        let name = JobID()
        if workers > 0 {
            // One that ends with this process; what is due later is for workers that stay.
            options.laterQueue = options.queue
            options.queue = QueueName("check-\(name)")
            Interrupt.allow(seconds: 20, orSay: CheckCancellation.leftover(in: options.queue))
        }
        let check = SiteCheck(pool: database.pool, client: database.client)
        let id = try await start(check, options, name)
        do {
            return try await work(check, id, crew, options)
        } catch is CancellationError {
            if workers > 0 {
                try await CheckCancellation.clear(
                    options.queue, of: id, database.client, database.pool)
            }
            // What was found until then is told all the same.
            return try await Task { try await check.report(id) }.value
        }
    }

    private func work(
        _ check: SiteCheck, _ id: UUID, _ crew: Crew, _ options: SiteCheckOptions
    ) async throws -> CheckReport {
        try await withThrowingTaskGroup(of: CheckReport?.self) { group in
            defer { group.cancelAll() }
            for number in 0..<workers {
                group.addTask {
                    try await crew.child(number + 1, options.queue).run()
                    return nil
                }
            }
            group.addTask { try await watch(check, id) }
            for try await step in group {
                if let report = step { return report }
            }
            throw CancellationError()
        }
    }

    private func watch(_ check: SiteCheck, _ id: UUID) async throws -> CheckReport {
        defer { Terminal.endProgress() }
        do {
            _ = try await check.wait(id) { Terminal.progress(Self.line($0)) }
        } catch is CancellationError {
            try await CheckCancellation.stop(check, id)
            throw CancellationError()
        }
        return try await check.report(id)
    }

    private static func line(_ progress: CheckProgress) -> String {
        let broken = progress.targets[.broken, default: 0]
        let retries = progress.retries > 0 ? ", \(progress.retries) retries" : ""
        return "\(progress.visited)/\(progress.total) URLs, "
            + "\(CountText.of(progress.pages, "page")), "
            + "\(CountText.of(progress.references, "reference")), \(broken) broken\(retries)"
    }
}

enum CheckCancellation {
    /// Whoever pressed Ctrl-C has cancelled this task; the check is stopped all the same.
    static func stop(_ check: SiteCheck, _ id: UUID) async throws {
        try await Task { try await check.cancel(id, by: whom) }.value
    }

    /// What its own workers have handed back: nobody else takes from its queue, nor ends the check.
    /// What others have locked for long stays, and is told of.
    static func clear(
        _ queue: QueueName, of batch: UUID, _ client: TenureClient, _ pool: PostgresPool
    ) async throws {
        var left = JobFilter()
        left.queue = queue
        try await Task { [left] in
            let whose = Operator(client: client, as: whom)
            _ = try await whose.apply(.cancel, toAll: left)
            // A batch that ends only now enqueues what follows it, on this queue.
            let settled = try await pool.execute(SettleBatches(batches: [batch]))
            await client.notifier.send(settled.flatMap(\.wakeups))
            if try await whose.apply(.cancel, toAll: left)[.busy] != nil {
                Terminal.error("tenure: \(leftover(in: queue))")
            }
        }.value
    }

    static func leftover(in queue: QueueName) -> String {
        "jobs of the check may still be there; later: tenure job cancel --all --queue \(queue)"
    }

    private static let whom = "tenure check, interrupted"
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
