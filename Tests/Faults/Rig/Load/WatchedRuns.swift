import FaultSupport
import Tenure
import TenureWorker

/// Writes down what a claim's answer brought, and what is said to begin.
struct WatchedRuns: RunStore {
    let store: any RunStore
    let log: LineFile

    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] {
        let jobs = try await store.claim(request, answered: answered)
        write(jobs, of: request)
        return jobs
    }

    func claimAmongOthers(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?) {
        let answer = try await store.claimAmongOthers(request, answered: answered)
        write(answer.jobs, of: request)
        return answer
    }

    private func write(_ jobs: [ClaimedJob], of request: ClaimRequest) {
        for job in jobs {
            log.write([
                ("event", "claimed"), ("job", .string("\(job.run.job)")),
                ("fence", .integer(job.run.fence.rawValue)),
                ("session", .integer(request.session.rawValue)),
                ("kind", .string(job.run.kind.rawValue)),
                ("key", job.run.key.map { .string($0) }),
                ("generation", job.run.generation.map { .integer($0.rawValue) }),
                ("attempt", JSONValue(job.run.attempt)),
            ])
        }
    }

    func note(
        _ begun: BegunNote, sent: @escaping @Sendable () -> Void
    ) async throws -> Bool {
        for range in begun.fences {
            log.write([
                ("event", "noted"), ("session", .integer(begun.session.rawValue)),
                ("fence", .integer(range.lowerBound)), ("through", .integer(range.upperBound)),
            ])
        }
        return try await store.note(begun, sent: sent)
    }

    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime {
        try await store.nextDue(in: queue, kinds: kinds, from: position, release: release)
    }

    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] {
        try await store.complete(runs)
    }
    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        try await store.end(endings)
    }

    func verdicts(
        of runs: [RunRef]
    ) async throws -> [(run: RunRef, verdict: Tenure.Verdict)] {
        try await store.verdicts(of: runs)
    }

    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int {
        try await store.releaseHeld(kinds: kinds, release: release)
    }

    var awaitedEnds: AwaitedEnds { store.awaitedEnds }

    func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds {
        try await store.settleEnds(of: jobs, atMost: atMost)
    }

    func announce(_ queues: [QueueName]) async { await store.announce(queues) }
    func makePartitions() async throws { try await store.makePartitions() }
}
