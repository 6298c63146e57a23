package import Tenure
package import TenureFoundation
package import TenurePostgres

/// What a worker asks of PostgreSQL, each a statement.
package struct PostgresRunStore: RunStore {
    private let pool: PostgresPool
    private let notifier: Notifier
    private let gatherer: ClaimGatherer
    /// A look is worth no long wait: a beat says the same.
    private static let lookDeadline = Duration.milliseconds(500)

    package init(pool: PostgresPool, notifier: Notifier) {
        self.pool = pool
        self.notifier = notifier
        gatherer = ClaimGatherer(pool: pool)
    }

    package func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] {
        try await pool.execute(
            ClaimJobs(request: request), isEarly: request.mayFold, answered: answered)
    }

    package func claimAmongOthers(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?) {
        try await gatherer.claim(request, answered: answered)
    }

    package func note(
        _ begun: BegunNote, sent: @escaping @Sendable () -> Void
    ) async throws -> Bool {
        try await pool.execute(NoteBegun(note: begun), sent: sent)[0]
    }

    package func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime {
        try await pool.execute(
            NextDue(queue: queue, kinds: kinds, position: position, release: release))[0]
    }

    package func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] {
        let rows = try await pool.execute(CompleteRuns(runs: runs))
        if rows.isEmpty { return [] }
        notifier.awaitedEnds.add(rows.filter { !$0.isLeft }.map(\.job))
        return rows.filter(\.isLeft).map(\.job)
    }

    package func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        let rows = try await pool.execute(EndRuns(endings: endings))
        notifier.awaitedEnds.add(rows.filter(\.isAwaited).map(\.run.job))
        return Dictionary(rows.map { ($0.run, $0.answer) }, uniquingKeysWith: { first, _ in first })
    }

    package func verdicts(
        of runs: [RunRef]
    ) async throws -> [(run: RunRef, verdict: Verdict)] {
        let asked = Dictionary(runs.map { ($0.job, $0) }) { $0.fence < $1.fence ? $0 : $1 }
        let answers = try await pool.execute(
            ReadVerdicts(runs: Array(asked.values)), deadline: Self.lookDeadline)
        return answers.compactMap { answer in asked[answer.job].map { ($0, answer.verdict) } }
    }

    package func releaseHeld(
        kinds: [ReadableKind], release: String
    ) async throws -> Int {
        let answer = try await pool.execute(ReleaseHeld(kinds: kinds, release: release))[0]
        if answer.released > 0 { await announce(answer.queues) }
        return answer.released
    }

    package func announce(_ queues: [QueueName]) async {
        await notifier.send(queues.map(Wakeup.available(in:)))
    }

    package func tell(ended: [JobID]) { notifier.leave(ended.map { .ofEnd($0) }) }

    package func tell(availableIn queues: Set<QueueName>) { notifier.wakeUp(queues) }

    package func makePartitions() async throws { try await Partitions.makeAhead(pool: pool) }

    package func settle(
        batches: [UUID], sent: @escaping @Sendable () -> Void
    ) async throws -> [SettledBatch] {
        let settled = try await pool.execute(SettleBatches(batches: batches), sent: sent)
        notifier.leave(settled.flatMap(\.wakeups))
        return settled
    }

    package func sweepBatches(after: UUID?) async throws -> (next: UUID?, settled: [SettledBatch]) {
        let rows = try await pool.execute(SweepBatches(after: after))
        let settled = rows.compactMap(\.settled)
        notifier.leave(settled.flatMap(\.wakeups))
        return (rows.first?.next, settled)
    }

    package func sweepWaiting(
        after: UUID?
    ) async throws -> (onward: UUID?, released: Int) {
        try await pool.execute(SweepWaiting(after: after))[0]
    }

    package var awaitedEnds: AwaitedEnds { notifier.awaitedEnds }

    package func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds {
        let settled = SettledEnds(try await pool.execute(SettleEnds(jobs: jobs, atMost: atMost)))
        notifier.leave(settled.cancelled.map { .ofEnd($0) })
        if !settled.batches.isEmpty {
            // Apart, as in `ExpirySweep`: batches come first in the lock order.
            let batches = try await pool.execute(SettleBatches(batches: Array(settled.batches)))
            notifier.leave(batches.flatMap(\.wakeups))
        }
        return settled
    }

    package func sweepClaims() async throws { _ = try await pool.execute(SweepClaims()) }

    package func expire() async throws -> (jobs: [ExpiredJob], batches: [SettledBatch]) {
        try await ExpirySweep(pool: pool, notifier: notifier).run()
    }
}
