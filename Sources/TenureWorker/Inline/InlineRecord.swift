import Tenure
import TenureFoundation
import TenurePostgres

/// What is seen of the one run that is under way.
final class InlineRecord: EventObserver {
    private struct State {
        var became: RunOutcome?
        var ending: RunEnding?
        var thrown: (any Error)?
    }
    private let state = Lock(State())
    private let next: any EventObserver

    init(next: any EventObserver) { self.next = next }

    func begin() { state.withLock { $0 = State() } }

    func end(_ run: Run, _ progress: [JobProgress]) -> InlineEnd {
        state.withLock { state in
            InlineEnd(
                run: run.info, became: state.became, ending: state.ending,
                reason: run.right.reason, progress: progress, thrown: state.thrown)
        }
    }

    func observe(_ event: Event) {
        next.observe(event)
        state.withLock { state in
            switch event {
            case .ended(_, let became, _, _): state.became = became
            case .threwAfterCommit(_, let error): state.thrown = error
            default: break
            }
        }
    }

    func ended(_ endings: [RunEnding]) { state.withLock { $0.ending = endings.last } }
}

/// The store, and a look at what is reported to it.
struct RecordedStore: RunStore {
    let store: any RunStore
    let record: InlineRecord

    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] { try await store.claim(request, answered: answered) }
    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime {
        try await store.nextDue(in: queue, kinds: kinds, from: position, release: release)
    }
    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] {
        try await store.complete(runs)
    }
    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        record.ended(endings)
        return try await store.end(endings)
    }
    func verdicts(of runs: [RunRef]) async throws -> [(run: RunRef, verdict: Verdict)] {
        try await store.verdicts(of: runs)
    }
    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int {
        try await store.releaseHeld(kinds: kinds, release: release)
    }
    func announce(_ queues: [QueueName]) async { await store.announce(queues) }
    func tell(ended: [JobID]) { store.tell(ended: ended) }
    func makePartitions() async throws { try await store.makePartitions() }
    func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds {
        try await store.settleEnds(of: jobs, atMost: atMost)
    }
    func settle(
        batches: [UUID], sent: @escaping @Sendable () -> Void
    ) async throws -> [SettledBatch] {
        try await store.settle(batches: batches, sent: sent)
    }
    func sweepBatches(after: UUID?) async throws -> (next: UUID?, settled: [SettledBatch]) {
        try await store.sweepBatches(after: after)
    }
}
