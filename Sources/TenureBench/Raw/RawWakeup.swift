import Tenure
import TenureCLI

/// The yardstick of the latencies: a commit, a notification, a statement that looks. One process
/// with a connection for each part, no queue.
struct RawWakeup {
    let pool: PostgresPool
    private static let channel = "tenure_bench_raw"

    /// `cancel` counts the writing transaction too, as a cancel does.
    enum Way: Sendable { case claim, verdict, cancel }

    /// - Returns: milliseconds from each commit until what it wrote was seen.
    func delays(_ way: Way, samples: Int, pause: ClosedRange<Int>) async throws -> [Double] {
        let listener = PostgresListener(
            configuration: pool.configuration, channels: [Self.channel])
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            group.addTask {
                try await listener.run()
                return []
            }
            var events = listener.events.makeAsyncIterator()
            while let event = await events.next() {
                if case .listening = event { break }
            }
            var delays: [Double] = []
            for _ in 0..<samples {
                try await Task.sleep(for: .milliseconds(Int.random(in: pause)))
                let call = SharedClock.nanoseconds
                _ = try await pool.execute(InsertRaw())
                let start = way == .cancel ? call : SharedClock.nanoseconds
                _ = try await pool.execute(NotifyRaw(channel: Self.channel))
                while let event = await events.next() {
                    if case .notification = event { break }
                }
                switch way {
                case .claim: _ = try await pool.execute(ClaimRaw())
                case .verdict, .cancel: _ = try await pool.execute(CountRaw())
                }
                delays.append(Double(SharedClock.nanoseconds - start) / 1e6)
                _ = try await pool.execute(DeleteRaw())
            }
            group.cancelAll()
            return delays
        }
    }
}

struct InsertRaw: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.raw_job (id, run_at, state, kind, queue, payload)
        VALUES (gen_random_uuid(), clock_timestamp(), 'available', 'bench-noop', 'bench', '{}')
        """
}

struct NotifyRaw: PostgresStatement {
    static let sql = "SELECT pg_notify($1, '')"
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(channel) }
}

struct ClaimRaw: PostgresStatement {
    static let sql = """
        WITH next AS MATERIALIZED (
            SELECT id FROM tenure.raw_job
            WHERE queue = 'bench' AND priority = 5
              AND state IN ('scheduled', 'available', 'retryable') AND run_at <= now()
            ORDER BY run_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE tenure.raw_job r
        SET state = 'running', session_id = 1, fence = nextval('tenure.raw_fence')
        FROM next WHERE r.id = next.id RETURNING r.payload::text
        """

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

struct DeleteRaw: PostgresStatement {
    static let sql = "DELETE FROM tenure.raw_job"
}
