import TenureSystem

/// Blocking work on at most so many threads, first come, first served.
///
/// Threads are started when work waits and nobody is idle, and end after ten idle seconds. For
/// each one that hangs in work nobody waits for any more there may be another, up to a bound.
final class WorkQueue: @unchecked Sendable {  // `state` is only touched holding `mutex`
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        var idle = 0
        var lost = 0
        var isClosed = false
    }

    /// How many threads there may be for each one of the limit, when all of those hang.
    private static let mostPerThread = 8

    private let limit: Int
    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(threads limit: Int) {
        self.limit = max(1, limit)
        mutex.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        let needsThread = locked {
            guard !state.isClosed else { return false }
            state.waiting.append(work)
            return takesThread()
        }
        if needsThread { HelperThread.start { self.runThread() } }
    }

    /// The caller has given up on work that is still running.
    func threadLost() {
        let needsThread = locked {
            state.lost += 1
            return takesThread()
        }
        if needsThread { HelperThread.start { self.runThread() } }
    }

    /// Work that was given up has ended after all.
    func threadReturned() {
        locked { state.lost -= 1 }
    }

    private var allowed: Int { min(limit + state.lost, limit * Self.mostPerThread) }

    private func takesThread() -> Bool {
        guard state.waiting.count > state.idle, state.threads < allowed else {
            pthread_cond_signal(change)
            return false
        }
        state.threads += 1
        return true
    }

    /// Drops what waits; what runs is left to end by itself.
    func close() {
        locked {
            state.isClosed = true
            state.waiting = []
            pthread_cond_broadcast(change)
        }
    }

    private func runThread() {
        while let work = nextWork() { work() }
    }

    private func nextWork() -> (@Sendable () -> Void)? {
        locked {
            var deadline = timespec()
            clock_gettime(CLOCK_REALTIME, &deadline)
            deadline.tv_sec += 10
            state.idle += 1
            // One too many: a thread that was lost has come back.
            var isLate = state.threads > allowed
            while state.waiting.isEmpty && !state.isClosed && !isLate {
                isLate = pthread_cond_timedwait(change, mutex, &deadline) != 0
            }
            state.idle -= 1
            if state.waiting.isEmpty || state.threads > allowed {
                state.threads -= 1
                // What woke this one may have been meant for work that is still there.
                if !state.waiting.isEmpty { pthread_cond_signal(change) }
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
