import Tenure
import TenureCLI
import TenureFoundation

/// Jobs that wait for other jobs, held against as many that wait for nobody: by the same worker
/// processes, in turn, timed alike. All are enqueued while the queue is held, and kept in history,
/// which tells afterwards whether each began once, and behind those that it waited for.
struct WaitsFigure {
    let bench: BenchRun

    private struct Runs {
        var plain: [WaitShape: [Double]] = [:]
        var seconds: [WaitShape: [Double]] = [:]
    }

    private var workers: Int { bench.scale.waitWorkers }
    private var chain: Int { bench.scale.chainJobs }
    /// Who waits, or is waited for, and the one at the other side.
    private var fan: Int { bench.scale.fanJobs + 1 }

    func measure() async throws {
        var runs = Runs()
        try await bench.rounds("waits") { _ in
            runs = try await bench.place.fresh { [runs] in try await round(runs, $0) }
        }
        let links = (runs.seconds[.chain] ?? []).map { $0 * 1000 / Double(chain) }
        try bench.report([
            result(.fanIn, runs), result(.fanOut, runs),
            FigureResult(
                "waits-chain", unit: "ms/link", links, bar: .atMost(3, "ms"),
                details: ["jobs": Double(chain), "workers": Double(workers)]),
        ])
    }

    private func result(_ shape: WaitShape, _ runs: Runs) -> FigureResult {
        let plain = runs.plain[shape] ?? []
        return FigureResult(
            "waits-\(shape.rawValue)", unit: "s", runs.seconds[shape] ?? [],
            baseline: ("as many plain jobs", plain), bar: .atMost(1.5, of: .baseline),
            details: [
                "jobs": Double(fan), "workers": Double(workers),
                "plain": Statistics.median(plain),
            ])
    }

    private func round(_ before: Runs, _ pool: PostgresPool) async throws -> Runs {
        let queue = BenchQueue(pool)
        try await queue.prepare(keeps: true)
        var crew = bench.crew
        crew.processes = workers
        return try await BenchCrew.with(crew, in: bench.place, pool) { _ in
            // A connection's first statements of a kind take many times as long as the next ones.
            for shape in WaitShape.allCases {
                _ = try await seconds(shape, max(10, fan / 10), queue)
            }
            var runs = before
            for shape in [WaitShape.fanIn, .fanOut] {
                runs.plain[shape, default: []].append(try await seconds(.plain, fan, queue))
                runs.seconds[shape, default: []].append(try await seconds(shape, fan, queue))
            }
            runs.seconds[.chain, default: []].append(try await seconds(.chain, chain, queue))
            return runs
        }
    }

    /// From the moment the queue is let go to the end of the last job, by the database's clock.
    private func seconds(
        _ shape: WaitShape, _ count: Int, _ queue: BenchQueue
    ) async throws -> Double {
        let jobs = try shape.jobs(count)
        try await queue.pause()
        let ids = try await queue.fill(count) { jobs[$0] }
        try await queue.settle()
        try await queue.settle("tenure.job_after")
        let start = try await queue.pool.execute(ReadClock())[0]
        try await queue.drain(ids)
        let seen = try await queue.pool.execute(ReadOrder(ids: ids, start: start))[0]
        guard seen.once == count, seen.inOrder == shape.edges(count), let end = seen.seconds else {
            throw Failure(
                "\(shape.rawValue): of \(count) jobs \(seen.once) began once and completed, and "
                    + "\(seen.inOrder) of \(shape.edges(count)) waits were over when the job began")
        }
        return end
    }
}

/// The database's clock.
struct ReadClock: PostgresStatement {
    static let sql = "SELECT clock_timestamp()"
    static func decode(_ row: borrowing PostgresRow) throws -> Date { try row.decode(0) }
}

/// What history says of jobs that may have waited for each other.
struct ReadOrder: PostgresStatement {
    static let sql = """
        WITH past AS MATERIALIZED (
            SELECT h.id, h.created_at, h.claimed_at, h.finished_at
            FROM tenure.job_history h
            WHERE h.id = ANY ($1) AND h.outcome = 'completed' AND h.runs = 1
        )
        SELECT count(*),
               (SELECT count(*) FROM tenure.job_after a
                JOIN past w ON w.id = a.job_id
                JOIN past p ON p.id = a.needs AND p.created_at = a.made
                WHERE w.claimed_at > p.finished_at),
               extract(epoch FROM max(past.finished_at) - $2)::float8
        FROM past
        """
    let ids: [UUID]
    let start: Date

    struct Seen: Sendable {
        /// Jobs that have completed in their first run.
        let once: Int
        /// Waits of theirs that were over before the job was claimed.
        let inOrder: Int
        /// From the start to the end of the last; nil of none.
        let seconds: Double?
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ids)
        try parameters.append(start)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Seen {
        Seen(
            once: Int(try row.decode(0, as: Int64.self)),
            inOrder: Int(try row.decode(1, as: Int64.self)), seconds: try row.decode(2))
    }
}
