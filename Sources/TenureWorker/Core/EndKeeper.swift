// docs/decisions/after.md

import Tenure
import TenurePostgres

/// Lets jobs go that waited for others: right after an end was committed here for which others
/// wait, and, now and then, after whatever was committed elsewhere, or by a worker that died since.
final class EndKeeper: Sendable {
    let offered = OfferedJobs()
    private let store: any RunStore
    private let ends: AwaitedEnds
    private let time: any Timekeeper
    private let observer: any EventObserver
    private let queues: [QueueName: LocalQueue]
    private let jitter: @Sendable () -> Double

    /// Between two looks at all ends: one look into an index.
    private static let sweepInterval = Duration.seconds(5)
    private static let retryInterval = Duration.seconds(1)
    /// Between two looks where the last one let nobody go: ends that come together are settled
    /// together.
    private static let shortestRest = Duration.milliseconds(2)
    private static let longestRest = Duration.milliseconds(50)

    /// How many are let go in one transaction: few at first, so that they begin at once; then more
    /// and more, because those that come bit by bit are claimed bit by bit, for twice as much.
    static let firstRound = 1000
    private static let longestRound = 8000

    init(
        store: any RunStore, queues: [QueueName: LocalQueue], time: any Timekeeper,
        observer: any EventObserver, jitter: @escaping @Sendable () -> Double
    ) {
        self.store = store
        ends = store.awaitedEnds
        self.queues = queues
        self.time = time
        self.observer = observer
        self.jitter = jitter
    }

    /// Runs until cancelled.
    func run() async {
        await keepSettling()
        store.tell(availableIn: offered.takeAll())
    }

    private func keepSettling() async {
        // Soon: where workers don't live for long, somebody still looks.
        var sweepAt = time.now + Self.retryInterval * jitter()
        while !Task.isCancelled {
            await ends.wait(until: min(sweepAt, offered.tellAt ?? sweepAt), on: time)
            let start = time.now
            store.tell(availableIn: offered.takeLeft(at: start))
            let jobs = ends.take()
            let sweeps = start >= sweepAt
            if jobs.isEmpty && !sweeps { continue }
            do {
                let settled = try await settle(jobs, sweeps: sweeps)
                if sweeps { sweepAt = start + Self.sweepInterval * jitter() }
                if settled.asksAgain { sweepAt = min(sweepAt, time.now + Self.retryInterval) }
                // Never more than half of what one connection can do; a fifth, where it is in vain.
                let took = start.duration(to: time.now)
                await pause(settled.isVain ? rest(after: took) : took)
            } catch {
                if Task.isCancelled { return }
                ends.add(jobs)
                observer.observe(.databaseAway(during: "letting jobs go that waited", error))
                await pause(Self.retryInterval)
            }
        }
    }

    /// - Returns: whether nobody was let go, and whether it is worth another look soon.
    private func settle(
        _ jobs: [JobID], sweeps: Bool
    ) async throws -> (isVain: Bool, asksAgain: Bool) {
        var answer = (isVain: true, asksAgain: false)
        // What is left of these is found with whatever else is.
        var asked: [JobID]? = jobs.isEmpty ? nil : jobs
        var goesOn = true
        var atMost = Self.firstRound
        while goesOn {
            let settled = try await store.settleEnds(of: asked, atMost: atMost)
            atMost = Self.nextRound(after: atMost, settled)
            offer(settled.released)
            if !settled.released.isEmpty { answer.isVain = false }
            if settled.isToBeAskedAgain { answer.asksAgain = true }
            goesOn = settled.hasMore || (asked != nil && sweeps)
            asked = nil
        }
        return answer
    }

    /// Where jobs are cancelled that others wait for in turn, rounds stay short: each link of a
    /// chain costs more than the one before it in a transaction, and all stay locked.
    static func nextRound(after atMost: Int, _ settled: SettledEnds) -> Int {
        settled.cancelled.isEmpty ? min(atMost * 2, longestRound) : firstRound
    }

    /// What this worker has room for it claims itself; of the rest all are told.
    private func offer(_ released: [QueueName: [JobID]]) {
        var told: Set<QueueName> = []
        for (name, jobs) in released {
            if let queue = queues[name], jobs.count <= queue.state.withLock({ $0.free }) {
                offered.add(jobs, in: name, at: time.now)
            } else {
                told.insert(name)
            }
        }
        store.tell(availableIn: told)
        queues.wakeUp(Set(released.keys))
    }

    private func rest(after took: Duration) -> Duration {
        min(max(took * 4, Self.shortestRest), Self.longestRest)
    }

    private func pause(_ duration: Duration) async {
        // Only a cancellation ends the sleep early; the loop's head sees it.
        try? await time.sleep(until: time.now + duration)
    }
}
