import Tenure
import TenureCLI
import TenureFoundation
import TenureSystem

/// Worker processes for the length of a measurement.
struct BenchCrew: Sendable {
    let processes: [ChildProcess]

    /// How the benchmark runs its workers.
    struct Shape: Sendable {
        /// Which worker: the product's, or the benchmark's own.
        var isProduct = false
        var processes = 1
        /// Jobs at a time, of each process and queue.
        var slots = 10
        var queues: [QueueName] = [BenchJobs.queue]
        /// Connections for claims and finishes, of each process.
        var connections = 2
        /// A library that is loaded into the processes, and its settings.
        var environment: [String: String] = [:]
    }

    /// Starts the processes, waits until each of them listens, and stops them after `body`.
    /// - Throws: `Failure` when one ends meanwhile.
    static func with<Result: Sendable>(
        _ shape: Shape, in place: BenchPlace, _ pool: PostgresPool,
        _ body: @Sendable @escaping (BenchCrew) async throws -> Result
    ) async throws -> Result {
        let crew = BenchCrew(
            processes: try (1...shape.processes).map { number in
                try ChildProcess(
                    program: shape.isProduct ? ProductProgram.path() : System.ownProgram,
                    arguments: arguments(shape, place, number),
                    environment: shape.environment.merging(
                        ["TENURE_DATABASE_URL": conninfo(place)]) { $1 })
            })
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            for process in crew.processes {
                group.addTask {
                    _ = await process.waitForEnd()
                    return nil
                }
            }
            group.addTask {
                try await crew.waitUntilReady(shape, pool)
                return try await body(crew)
            }
            do {
                let first = try await group.next() ?? nil
                guard let result = first else {
                    throw Failure("a worker process ended while it was measured")
                }
                crew.stop(within: .seconds(20))
                try await group.waitForAll()
                return result
            } catch {
                // It may be a Ctrl-C: the place is to be removed soon.
                crew.stop(within: .milliseconds(300))
                group.cancelAll()
                throw error
            }
        }
    }

    private func stop(within limit: Duration) {
        for process in processes { process.terminate(killingAfter: limit) }
    }

    private func waitUntilReady(_ shape: Shape, _ pool: PostgresPool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await pool.execute(CountListening())[0] < shape.processes {
            guard ContinuousClock.now < end else {
                throw Failure("the worker processes were not ready within 60 s")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        // What a worker does once at its start shall not be measured: of a thousand queues it
        // looks at each. One that never rests is measured as it is.
        let rest = ContinuousClock.now + .seconds(20)
        repeat {
            try await Task.sleep(for: .milliseconds(50))
        } while try await pool.execute(CountClaiming())[0] > 0 && ContinuousClock.now < rest
    }

    private static func arguments(_ shape: Shape, _ place: BenchPlace, _ number: Int) -> [String] {
        let queues = shape.queues.map { "\($0):\(shape.slots)" }.joined(separator: ",")
        return [
            shape.isProduct ? "tenure" : "tenure-bench", "worker", "--schema=\(place.schema)",
            "--pool-size=\(shape.connections)",
            "--queue=\(queues)", "--lease=30s", "--poll=1s",
            "--grace=5s", "--listen", "--no-pooler", "--name=bench-\(number)",
            "--log-level=critical",
        ]
    }

    static func conninfo(_ place: BenchPlace) -> String {
        place.configuration.completeOptions
            .merging(["application_name": BenchCrew.applicationName]) { $1 }
            .map { name, value in
                let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
                return "\(name)='\(escaped)'"
            }
            .joined(separator: " ")
    }

    static let applicationName = "tenure_bench_worker"
}

/// How many workers of the benchmark's have a session and listen.
struct CountListening: PostgresStatement {
    static let sql = """
        SELECT least(
            (SELECT count(*) FROM tenure.session s
             WHERE s.role = 'worker' AND s.ended_at IS NULL AND s.beat > 0),
            (SELECT count(*) FROM pg_stat_activity a
             WHERE a.datname = current_database() AND a.application_name = 'tenure_bench_worker'
               AND (a.query LIKE 'LISTEN%' OR a.query = 'SELECT 1')))
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}

/// How many connections of the benchmark's workers have looked for jobs just now.
struct CountClaiming: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name = 'tenure_bench_worker'
          AND (a.query LIKE '%claim(%' OR a.query LIKE '%next_due(%')
          AND (a.state <> 'idle' OR a.query_start > clock_timestamp() - interval '250 ms')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
