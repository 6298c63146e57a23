import Tenure
import TenureFoundation
import TenurePostgres

/// Finds out when batches have ended: looks after their jobs' ends have been committed, never
/// within. So no end pays for it or waits for another; and whoever looks after the last commit
/// finds the batch without a job. What a crash leaves is found by looking at all open batches.
final class BatchKeeper: Sendable {
    private let store: any RunStore
    private let time: any Timekeeper
    private let observer: any EventObserver
    private let left = Lock<Set<UUID>>([])
    private let news = Signal()

    /// The least time between two looks.
    private static let rest = Duration.milliseconds(10)
    /// Between two rounds of looks at all open batches: a thirtieth of a statement a second at
    /// rest.
    private static let sweepInterval = Duration.seconds(30)
    /// Between two parts of one round.
    private static let partInterval = Duration.seconds(1)
    /// After a failure.
    private static let retryInterval = Duration.seconds(5)

    init(store: any RunStore, time: any Timekeeper, observer: any EventObserver) {
        self.store = store
        self.time = time
        self.observer = observer
    }

    /// A job's end is written. Never waits.
    func left(by run: Run) {
        guard let batch = run.job.batchID else { return }
        let isNews = left.withLock { $0.insert(batch).inserted }
        if isNews { news.notify() }
    }

    /// Runs until cancelled.
    func run() async {
        var sweepAt = time.now + Self.sweepInterval
        var position: UUID?
        while !Task.isCancelled {
            await news.wait(until: sweepAt, on: time)
            let start = time.now
            var cost = Duration.zero
            do {
                if start >= sweepAt {
                    sweepAt = start + Self.sweepInterval
                    let sweep = try await store.sweepBatches(after: position)
                    position = sweep.next
                    if position != nil { sweepAt = start + Self.partInterval }
                    for batch in sweep.settled { observer.observe(batch) }
                    cost = start.duration(to: time.now)
                }
                let look = try await settle()
                cost += look.cost
                if !look.isDone { sweepAt = min(sweepAt, time.now + Self.partInterval) }
            } catch {
                if Task.isCancelled { return }
                // The next look takes what was put back.
                observer.observe(.databaseAway(during: "ending batches of jobs", error))
                sweepAt = min(sweepAt, time.now + Self.retryInterval)
                cost = start.duration(to: time.now)
            }
            // Never more than a tenth of what one connection can do. The wait for one, which all
            // of the worker's runs are after, is none of it: a batch would end the later for it.
            let pause = max(Self.rest, cost * 9)
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await time.sleep(until: time.now + pause)
        }
    }

    /// - Returns: whether all that had no job left could end, and how long the database took. Those
    ///   that could not are put back.
    private func settle() async throws -> (isDone: Bool, cost: Duration) {
        let batches = left.withLock { left in
            defer { left = [] }
            return Array(left)
        }
        guard !batches.isEmpty else { return (true, .zero) }
        let sentAt = Lock(time.now)
        do {
            let settled = try await store.settle(batches: batches) { [time] in
                sentAt.withLock { $0 = time.now }
            }
            let cost = sentAt.withLock { $0 }.duration(to: time.now)
            for batch in settled { observer.observe(batch) }
            let busy = settled.filter { !$0.hasEnded }.map(\.batch)
            left.withLock { $0.formUnion(busy) }
            return (busy.isEmpty, cost)
        } catch {
            left.withLock { $0.formUnion(batches) }
            throw error
        }
    }
}
