import Tenure
import TenureWorker

/// An error tracker, of whatever make.
protocol Tracker: Sendable {
    func report(_ error: any Error, tags: [String: String]) async
}

/// Puts jobs off while the shop is closed.
struct OpeningHours: JobMiddleware {
    let isOpen: @Sendable () async -> Bool

    func run(
        _ context: JobContext, _ next: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        guard await isOpen() else { return .snooze(for: .seconds(600)) }
        return try await next()
    }
}

/// Reports what handlers throw, the error itself, when a job is given up.
struct ErrorReporter: JobObserver {
    let tracker: any Tracker

    func observe(_ event: JobEvent) async {
        guard case .ended(let run, let end) = event, let error = end.error,
            end.status == .discarded
        else { return }
        await tracker.report(error, tags: ["kind": "\(run.kind)", "job": "\(run.job)"])
    }
}

func watchedWorker(
    _ pool: PostgresPool, _ tracker: any Tracker, isOpen: @escaping @Sendable () async -> Bool
) throws -> Worker {
    var jobs = JobRegistry()
    jobs.use(OpeningHours(isOpen: isOpen))
    jobs.handle(PrintPages.self) { _, context in
        try await context.commit()
    }
    return try Worker(pool: pool, jobs: jobs, observers: [ErrorReporter(tracker: tracker)])
}
