// docs/decisions/after.md

import Tenure
import TenurePostgres

/// Lets jobs go that waited for others: right after an end was committed here for which others
/// wait, and, now and then, after whatever was committed elsewhere, or by a worker that died since.
final class EndKeeper: Sendable {
    private let store: any RunStore
    private let ends: AwaitedEnds
    private let time: any Timekeeper
    private let observer: any EventObserver
    private let queues: [QueueName: LocalQueue]
    private let jitter: @Sendable () -> Double

    /// Between two looks at all ends: one look into an index.
    private static let sweepInterval = Duration.seconds(5)
    private static let retryInterval = Duration.seconds(1)
    /// The least time between two looks: ends that come together are settled together.
    private static let rest = Duration.milliseconds(2)

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
        // Soon: where workers don't live for long, somebody still looks.
        var sweepAt = time.now + Self.retryInterval * jitter()
        while !Task.isCancelled {
            await ends.wait(until: sweepAt, on: time)
            let start = time.now
            let jobs = ends.take()
            do {
                var asksAgain = false
                if !jobs.isEmpty { asksAgain = try await settle(jobs) }
                if start >= sweepAt {
                    sweepAt = start + Self.sweepInterval * jitter()
                    if try await settle(nil) { asksAgain = true }
                }
                if asksAgain { sweepAt = min(sweepAt, time.now + Self.retryInterval) }
            } catch {
                if Task.isCancelled { return }
                ends.add(jobs)
                observer.observe(.databaseAway(during: "letting jobs go that waited", error))
                await pause(Self.retryInterval)
            }
            // Never more than half of what one connection can do.
            await pause(max(Self.rest, start.duration(to: time.now)))
        }
    }

    private func settle(_ jobs: [JobID]?) async throws -> Bool {
        let settled = try await store.settleEnds(of: jobs)
        if !settled.queues.isEmpty { queues.wakeUp(settled.queues) }
        return settled.isToBeAskedAgain
    }

    private func pause(_ duration: Duration) async {
        // Only a cancellation ends the sleep early; the loop's head sees it.
        try? await time.sleep(until: time.now + duration)
    }
}
