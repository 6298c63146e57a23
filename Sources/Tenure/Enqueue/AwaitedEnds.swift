import TenurePostgres

/// Jobs whose ends were written here and for which other jobs wait: whoever settles ends is to look
/// at them once that is committed. What is lost with the process is found by a look at all ends.
package final class AwaitedEnds: Sendable {
    private let jobs = Lock<Set<JobID>>([])
    private let news = Signal()

    package init() {}

    /// Never waits.
    package func add(_ ended: some Collection<JobID>) {
        if ended.isEmpty { return }
        jobs.withLock { $0.formUnion(ended) }
        news.notify()
    }

    package func take() -> [JobID] {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return Array(jobs)
        }
    }

    /// Returns when there are some, at the deadline, or when the task is cancelled. For one waiter.
    package func wait(until deadline: ContinuousClock.Instant, on time: any Timekeeper) async {
        await news.wait(until: deadline, on: time)
    }
}
