import Tenure
import TenureCLI
import TenureFoundation

/// Makes no-op jobs on the server, as an enqueue writes them.
struct FillJobs: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.job (id, run_at, state, kind, queue, payload)
        SELECT (lpad(to_hex((extract(epoch FROM made.at) * 1000)::bigint), 12, '0')
                || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
               made.at, 'available', 'bench-noop', 'bench',
               '{"url": "https://example.org/some/path", "depth": 1}'
        FROM (SELECT clock_timestamp() AS at FROM generate_series(1, $1::bigint)) AS made
        """
    let count: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int64(count))
    }
}

struct EmptyJobs: PostgresStatement {
    static let sql = "TRUNCATE tenure.job"
}

/// Reads all of it once, so that none of it has to come from the disk later.
struct WarmJobs: PostgresStatement {
    static let sql = "SELECT count(j.*) FROM tenure.job j"
}

struct OpenBenchSession: PostgresStatement {
    static let sql = """
        SELECT tenure.open_session(
            'worker', 'bench', '0', '1 day', ARRAY['bench'], ARRAY['bench-noop'])
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

/// A claim from the head of the queue.
struct BenchClaim: PostgresStatement {
    static let most = 10
    static let sql = """
        SELECT c.id, c.fence FROM tenure.claim($1, 'bench', ARRAY['bench-noop'], 10) AS c
        """
    let session: Int64

    struct Taken: Sendable {
        let id: UUID
        let fence: Int64
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(session) }

    static func decode(_ row: borrowing PostgresRow) throws -> Taken {
        Taken(id: try row.decode(0), fence: try row.decode(1))
    }
}

struct BenchComplete: PostgresStatement {
    static let sql = "SELECT count(*) FROM tenure.complete_group($1, $2)"
    let claimed: [BenchClaim.Taken]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(claimed.map(\.id))
        try parameters.append(claimed.map(\.fence))
    }
}

/// The least that claims ten jobs from the same table.
struct PlainClaim: PostgresStatement {
    static let sql = """
        WITH next AS MATERIALIZED (
            SELECT id FROM tenure.job
            WHERE queue = 'bench' AND priority = 5 AND lane IS NULL
              AND state IN ('scheduled', 'available', 'retryable') AND run_at <= now()
            ORDER BY run_at, id LIMIT 10 FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE tenure.job j
        SET state = 'running', session_id = $1, fence = nextval('tenure.fence'),
            attempt = j.attempt + 1, runs = j.runs + 1, claimed_at = clock_timestamp()
        FROM next WHERE j.id = next.id RETURNING j.id, j.fence
        """
    let session: Int64

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(session) }

    static func decode(_ row: borrowing PostgresRow) throws -> BenchClaim.Taken {
        BenchClaim.Taken(id: try row.decode(0), fence: try row.decode(1))
    }
}

struct PlainFinish: PostgresStatement {
    static let sql = "DELETE FROM tenure.job j WHERE j.id = ANY ($1)"
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}
