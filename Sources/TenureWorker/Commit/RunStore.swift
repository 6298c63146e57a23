import Tenure
import TenurePostgres

/// What a worker asks of the database beside its session. A simulation brings its own.
protocol RunStore: Sendable {
    func claim(_ request: ClaimRequest) async throws -> [ClaimedJob]
    func nextDue(in queue: QueueName, kinds: [JobKind]) async throws -> DueTime
    func complete(_ runs: [RunRef]) async throws -> [JobID]
    func end(_ endings: [RunEnding]) async throws -> [EndedRun]
    func releaseHeld(kinds: [JobKind], release: String) async throws -> Int
}

struct PostgresRunStore: RunStore {
    let pool: PostgresPool

    func claim(_ request: ClaimRequest) async throws -> [ClaimedJob] {
        try await pool.execute(ClaimJobs(request: request))
    }

    func nextDue(in queue: QueueName, kinds: [JobKind]) async throws -> DueTime {
        try await pool.execute(NextDue(queue: queue, kinds: kinds))[0]
    }

    func complete(_ runs: [RunRef]) async throws -> [JobID] {
        try await pool.execute(CompleteRuns(runs: runs))
    }

    func end(_ endings: [RunEnding]) async throws -> [EndedRun] {
        try await pool.execute(EndRuns(endings: endings))
    }

    func releaseHeld(kinds: [JobKind], release: String) async throws -> Int {
        try await pool.execute(ReleaseHeld(kinds: kinds, release: release))[0]
    }
}
