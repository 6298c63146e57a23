import Tenure
import TenureWorker

/// A process's way to the queue, over the network.
struct SimulatedRuns: RunStore {
    let process: SimulatedProcess
    let network: Network
    let wakeups: WakeupBoard
    let oracle: Oracle

    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] {
        let jobs = try await network.call(process, "claim") { try $0.claim(request) }
        answered(ClaimGlance(jobs))
        // The rest of the answer comes behind the commit, if it comes.
        try await network.call(process, "claim's end") { _ in }
        oracle.didAnswer(claim: jobs, asked: request.wanted)
        return jobs
    }

    func note(
        _ begun: BegunNote, sent: @escaping @Sendable () -> Void
    ) async throws -> Bool {
        // Before the handlers: what arrives, arrives, also after this process.
        oracle.didNote(begun, process)
        sent()
        let isAlive = try await network.call(process, "note") { $0.note(begun) }
        // The note of a session that is over is answered, and not kept.
        if isAlive { oracle.acknowledged(begun) }
        return isAlive
    }

    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime {
        try await network.call(process, "due") {
            $0.nextDue(in: queue, kinds: kinds, from: position, release: release)
        }
    }

    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] {
        try await network.call(process, "complete") { $0.complete(runs.map { $0.run }) }
    }

    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        let answers = try await network.call(process, "end") { $0.end(endings) }
        if answers.values.contains(.busy) { oracle.reached.add(.busyEnd) }
        return answers
    }

    func verdicts(of runs: [RunRef]) async throws -> [(run: RunRef, verdict: Verdict)] {
        try await network.call(process, "look") { store in
            runs.compactMap { run in store.verdict(of: run).map { (run, $0) } }
        }
    }

    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int {
        try await network.call(process, "release") {
            $0.releaseHeld(kinds: kinds, release: release)
        }
    }

    func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds {
        try await network.call(process, "settle") { $0.settleEnds() }
    }

    func announce(_ queues: [QueueName]) async {
        wakeups.send(queues.map { Wakeup(channel: Wakeup.available, payload: $0.rawValue) })
    }

    func makePartitions() async throws {}
}
