import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle
import Tenure
import TenureWorker
import UnixSignals

/// A job whose one effect is a row: written in the commit, by this fence and process.
struct Effect: Job {
    static let kind: JobKind = "effect"
    static let retry = RetryPolicy.constant(maxAttempts: 20, .milliseconds(100))
    /// How long each run takes, the last for all further ones.
    let milliseconds: [Int]
    /// Goes on, and tries to commit, although it was asked to stop.
    let ignoresCancellation: Bool
}

/// A worker for tests that kill, freeze and cut off real processes.
///
///     FaultWorker CONNINFO LEASE_SECONDS SLOTS GRACE_SECONDS
///
/// Prints a line per event: `WORD JOB FENCE BOOTTIME_NS DETAIL`.
@main struct FaultWorker {
    static func main() async throws {
        let arguments = CommandLine.arguments
        var logger = Logger(label: "fault-worker")
        logger.logLevel = .warning
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(arguments[1]), size: 6, logger: logger)
        var configuration = WorkerConfiguration()
        configuration.lease = .seconds(Double(arguments[2])!)
        configuration.queues = [.default: Int(arguments[3])!]
        configuration.grace = .seconds(Double(arguments[4])!)
        configuration.pollInterval = .milliseconds(200)
        configuration.listeningPollInterval = .seconds(2)
        var jobs = JobRegistry()
        jobs.handle(Effect.self, run)
        let worker = try Worker(
            pool: pool, jobs: jobs, configuration: configuration, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [worker], gracefulShutdownSignals: [.sigterm], logger: logger))
        try await group.run()
        await pool.close()
    }

    static func run(_ effect: Effect, _ context: JobContext) async throws -> JobOutcome {
        say("started", context)
        do {
            let run = min(context.runs, effect.milliseconds.count) - 1
            try await Task.sleep(for: .milliseconds(effect.milliseconds[run]))
        } catch {
            say("cancelled", context, "\(context.endReason.map { "\($0)" } ?? "unasked")")
            if !effect.ignoresCancellation { throw error }
        }
        do {
            let outcome = try await withoutCancelling { try await commit(context) }
            say("committed", context)
            return outcome
        } catch let late as LateResult {
            say("late", context, "\(late.became)")
            throw late
        }
    }

    static func commit(_ context: JobContext) async throws -> JobOutcome {
        try await context.commit { transaction in
            try await transaction.query(
                "INSERT INTO effect (job, fence, generation, key, pid) VALUES ($1, $2, $3, $4, $5)",
                [
                    context.jobID.uuid, context.fence.rawValue, context.generation?.rawValue,
                    context.key, Int64(getpid()),
                ])
        }
    }

    /// What a handler does that ignores its cancellation.
    static func withoutCancelling(
        _ body: @escaping @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        try await Task { try await body() }.value
    }

    static func say(_ word: String, _ context: JobContext, _ detail: String = "") {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let nanoseconds = Int(now.tv_sec) * 1_000_000_000 + now.tv_nsec
        let line = "\(word) \(context.jobID) \(context.fence) \(nanoseconds) \(detail)\n"
        _ = line.withCString { write(1, $0, strlen($0)) }
    }
}
