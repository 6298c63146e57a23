import Logging
import ServiceLifecycle
import Tenure
import TenureFoundation
import TenureWorker
import UnixSignals

/// The conformance suite's kind on the Swift worker: docs/other-languages.md.
struct Script: Job {
    enum Deed: String, Codable {
        case sleep, effect, follow, ignore, wake, sql, fail, retry, snooze, discard, result
    }

    static let kind: JobKind = "script"
    static let options = JobOptions<Self>()
    let `do`: Deed
    var seconds: Double?
    var hold: Double?
    var after: Double?
    var reason: String?
    var result: [String: Int]?
    var of: String?
}

struct AsAsked: Error, CustomStringConvertible { let description: String }

/// Who says what handlers do, beside the worker's own connections.
struct Teller {
    let pool: PostgresPool
    let name: String

    func say(_ what: String, _ context: JobContext) async throws {
        try await pool.query(
            """
            INSERT INTO conformance.event (job, fence, worker, what)
            VALUES ($1::text::uuid, $2, $3, $4)
            """,
            ["\(context.jobID)", context.fence.rawValue, name, what])
    }
}

struct Handler {
    let teller: Teller
    let pool: PostgresPool

    func run(_ job: Script, _ context: JobContext) async throws -> JobOutcome {
        try await teller.say("begun", context)
        do { return try await perform(job, context) } catch {
            if let reason = context.endReason {
                // The task is cancelled, and what is to be said is not.
                let teller = teller
                try await Task { try await teller.say("stopped: \(reason)", context) }.value
            }
            throw error
        }
    }

    private func perform(_ job: Script, _ context: JobContext) async throws -> JobOutcome {
        switch job.do {
        case .sleep:
            try await Task.sleep(for: .seconds(job.seconds ?? 0))
        case .effect:
            try await Task.sleep(for: .seconds(job.seconds ?? 0))
            return try await context.commit { transaction in
                try await transaction.query(
                    "INSERT INTO conformance.effect (job, fence) VALUES ($1::text::uuid, $2)",
                    ["\(context.jobID)", context.fence.rawValue])
                await Self.deafSleep(job.hold ?? 0)
            }
        case .follow:
            try await Task.sleep(for: .seconds(job.seconds ?? 0))
            return try await context.commit { transaction in
                await Self.deafSleep(job.hold ?? 0)
                try context.client.enqueue(
                    Script(do: .sleep, of: "\(context.jobID)"), in: transaction)
            }
        case .ignore:
            let end = ContinuousClock.now + .seconds(job.seconds ?? 0)
            while ContinuousClock.now < end {
                let teller = teller
                try await Task { try await teller.say("tick", context) }.value
                await Self.deafSleep(0.05)
            }
        case .wake:
            await Self.deafSleep(job.seconds ?? 0)
            try context.checkRight()
            try await teller.say("outside", context)
        case .sql: try await pool.query("SELECT pg_sleep($1)", [job.seconds ?? 0])
        case .fail: throw AsAsked(description: job.reason ?? "as asked")
        case .retry:
            return .retry(after: .seconds(job.after ?? 0), reason: job.reason ?? "")
        case .snooze: return .snooze(for: .seconds(job.after ?? 0))
        case .discard: return .discard(reason: job.reason ?? "")
        case .result: return try .completed(result: job.result)
        }
        return .completed
    }

    /// Goes on though its task is cancelled.
    private static func deafSleep(_ seconds: Double) async {
        await Task { try? await Task.sleep(for: .seconds(seconds)) }.value
    }
}

func given(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }
func seconds(_ name: String) -> Duration { .seconds(Double(given(name)) ?? 1) }

LoggingSystem.bootstrap(StreamLogHandler.standardError)
let logger = Logger(label: "conformance")
let pool = PostgresPool(
    configuration: try PostgresConfiguration(given("DATABASE_URL")), logger: logger)
let direct = PostgresPool(
    configuration: try PostgresConfiguration(given("CONFORMANCE_URL")), logger: logger)

var configuration = WorkerConfiguration()
configuration.queues = [QueueName(given("TENURE_QUEUE")): Int(given("TENURE_SLOTS")) ?? 1]
configuration.name = given("TENURE_NAME")
configuration.lease = seconds("TENURE_LEASE")
configuration.grace = seconds("TENURE_GRACE")
configuration.pollInterval = seconds("TENURE_POLL")
configuration.listeningPollInterval = max(
    configuration.listeningPollInterval, configuration.pollInterval)
configuration.sweepInterval = .seconds(5)
configuration.exitWhenStuckFor = .milliseconds(10)

let handler = Handler(
    teller: Teller(pool: direct, name: configuration.name), pool: pool)
var jobs = JobRegistry()
jobs.handle(Script.self) { try await handler.run($0, $1) }
let worker = try Worker(pool: pool, jobs: jobs, configuration: configuration, logger: logger)
let services: [any Service] = [pool, direct, worker]
try await ServiceGroup(
    configuration: ServiceGroupConfiguration(
        services: services.map {
            .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
        },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
).run()
