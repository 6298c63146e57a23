package import Tenure
package import TenurePostgres

/// What a worker asks of PostgreSQL, each a statement.
package struct PostgresRunStore: RunStore {
    private let pool: PostgresPool
    private let notifier: Notifier

    package init(pool: PostgresPool, notifier: Notifier) {
        self.pool = pool
        self.notifier = notifier
    }

    package func claim(_ request: ClaimRequest) async throws -> [ClaimedJob] {
        try await pool.execute(ClaimJobs(request: request))
    }

    package func nextDue(
        in queue: QueueName, kinds: [JobKind], from position: ClaimPosition?
    ) async throws -> DueTime {
        try await pool.execute(NextDue(queue: queue, kinds: kinds, position: position))[0]
    }

    package func complete(_ runs: [PlacedRun]) async throws -> [JobID] {
        try await pool.execute(CompleteRuns(runs: runs))
    }

    package func end(_ endings: [RunEnding]) async throws -> [EndedRun] {
        try await pool.execute(EndRuns(endings: endings))
    }

    package func releaseHeld(kinds: [JobKind], release: String) async throws -> Int {
        try await pool.execute(ReleaseHeld(kinds: kinds, release: release))[0]
    }

    package func announce(_ queues: [QueueName]) async {
        await notifier.send(
            queues.map { Wakeup(channel: Wakeup.available, payload: $0.rawValue) })
    }

    package func makePartitions() async throws { try await Partitions.makeAhead(pool: pool) }
}
