import Logging
import Simulation
import Tenure
import TenureFoundation
import TenurePostgres
import TenureWorker

/// The two stores side by side: every operation is done on both, and every answer compared.
final class Pair {
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    let pool: PostgresPool
    let sessions: PostgresSessionStore
    let runs: PostgresRunStore
    let commits: PostgresCommits
    let client: TenureClient
    let store: SimulatedStore
    let clock = Clock()
    let fences = Correspondence()
    let generations = Correspondence()
    let sessionIDs = Correspondence()
    var jobs = 0
    var lastNote: Int64 = 0
    var ids: [JobID] = []
    /// What came of callers that keep their snapshot.
    var refused = 0
    var passed = 0
    /// Runs that were given once, newest last.
    var given: [RunRef] = []
    /// Where the claims left the rows.
    var places: [RowPlace] = []
    var positions: [QueueName: (real: ClaimPosition, simulated: ClaimPosition)] = [:]

    private static let microseconds = """
        SELECT (extract(epoch FROM clock_timestamp() - to_timestamp(1700000000)) * 1000000)::int8
        """

    final class Clock {
        var now: Int64 = 0
    }

    init(pool: PostgresPool) {
        self.pool = pool
        client = TenureClient(pool: pool)
        sessions = PostgresSessionStore(
            beats: pool, pool: pool, wakeUp: client.notifier.wakeUp)
        runs = PostgresRunStore(pool: pool, notifier: client.notifier)
        commits = PostgresCommits(pool: pool, notifier: client.notifier)
        store = SimulatedStore { [clock] in clock.now }
    }

    /// Does the steps in an empty schema.
    func run(_ steps: [Step]) async throws {
        try await pool.simple(
            """
            TRUNCATE tenure.job, tenure.job_history, tenure.subject, tenure.subject_lock,
                tenure.given_id, tenure.kept_key, tenure.session, tenure.queue, tenure.lane,
                tenure.queue_holders, tenure.lane_holders, tenure.lane_call, tenure.lane_hold,
                tenure.attempt_error, tenure.session_begun, tenure.job_after, tenure.job_end
                RESTART IDENTITY
            """)
        for _ in 0..<3 { try await open() }
        for (number, step) in steps.enumerated() {
            do {
                try await take(step)
                try await compareJobs()
                if number % 10 == 9 || number == steps.count - 1 { try await compareTables() }
            } catch let difference as Difference {
                throw Difference(description: "after \(number + 1) steps, \(step): \(difference)")
            }
        }
    }

    func expect(_ isSame: Bool, _ what: @autoclosure () -> String) throws {
        if !isSame { throw Difference(description: what()) }
    }

    func real(_ run: RunRef) -> RunRef {
        RunRef(job: run.job, fence: Fence(fences.real(of: run.fence.rawValue)))
    }

    /// The simulated clock follows the real one.
    func setClock() async throws {
        let moment = try await pool.query(Self.microseconds) { try $0.decode(0, as: Int64.self) }
        clock.now = moment[0] * 1000
    }

    func take(_ step: Step) async throws {
        try await setClock()
        var random = SeededRandom(step.seed)
        switch step.verb {
        case .enqueue: try await enqueue(&random)
        case .call: try await call(&random)
        case .settle: try await settle()
        case .claim: try await claim(&random)
        case .nextDue: try await nextDue(&random)
        case .complete: try await complete(&random)
        case .end: try await end(&random)
        case .finish: try await finish(&random)
        case .finishChunk: try await finishChunk(&random)
        case .hold: try await hold(&random)
        case .beat: try await beat(&random)
        case .declareDead: try await declareDead(&random)
        case .close: try await close(&random)
        case .open: try await open()
        case .note: try await note(&random)
        case .reclaim: try await reclaim()
        case .look, .find: try await look(&random)
        case .cancel: try await cancel(&random)
        case .retry: try await retry(&random)
        case .pause, .resume, .limit, .keep: try await operate(step.verb, &random)
        case .releaseHeld: try await releaseHeld(&random)
        case .pass: try await pass()
        }
    }
}
