import TenureSystem

/// One thread that owns sockets and timers, and runs tasks.
///
/// Connections are read on it, and a task that prefers its `executor` goes on working while the
/// cooperative pool is blocked by handlers. Timers run on the continuous clock, the one that goes
/// on while the machine sleeps. Nothing that blocks may run here: everything else would wait.
///
/// A reactor lives as long as the process: make few.
public final class PostgresReactor: TaskExecutor, Sendable {
    /// The one that configurations use unless told otherwise.
    public static let shared = PostgresReactor(name: "pg-reactor")

    private struct State {
        var jobs: [UnownedJob] = []
        var timers = Timers<@Sendable () -> Void>()
        var handlers: [UInt64: WeakHandler] = [:]
        var lastToken: UInt64 = 0
        /// The thread is in the kernel, or about to be: whoever brings work wakes it.
        var isWaiting = false

        /// - Returns: true when the thread has to be woken; only the first to ask is told so.
        mutating func takeWaiting() -> Bool {
            defer { isWaiting = false }
            return isWaiting
        }
    }

    private let state = Lock(State())
    private let sockets: any SocketSet

    /// Starts a reactor with a thread of its own.
    ///
    /// - Parameter name: the thread's name; the system keeps 15 characters.
    public convenience init(name: String) {
        self.init(name: name, sockets: Self.makeSocketSet())
    }

    /// The kernel's, where it has one; `TENURE_REACTOR=poll` has the other one do the work, for its
    /// tests.
    private static func makeSocketSet() -> any SocketSet {
        let chosen = getenv("TENURE_REACTOR").map { String(cString: $0) }
        return chosen == "poll" ? PollSet() : System.makeSocketSet() ?? PollSet()
    }

    init(name: String, sockets: any SocketSet) {
        self.sockets = sockets
        let started = System.startThread(name) { [self] in loop() }
        precondition(started, "no thread left for a reactor")
    }

    /// Prefer this one for tasks that must go on when handlers block the cooperative pool. Child
    /// tasks inherit the preference.
    public var executor: any TaskExecutor { self }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wake = state.withLock { state in
            state.jobs.append(job)
            return state.takeWaiting()
        }
        if wake { sockets.wake() }
    }

    /// Sleeps on the reactor's own timers, on the continuous clock.
    ///
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let end = OneShot<Void>()
        let timer = schedule(at: .now + duration) { end.decide(.success(())) }
        defer { cancel(timer) }
        try await end.value()
    }

    /// Runs `action` on the reactor's thread at `instant`.
    func schedule(at instant: Instant, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        let (timer, wake) = state.withLock { state in
            let isFirst = state.timers.next.map { instant < $0 } ?? true
            let timer = state.timers.add(at: instant, action)
            return (timer, isFirst && state.takeWaiting())
        }
        if wake { sockets.wake() }
        return timer
    }

    func cancel(_ timer: UInt64) {
        _ = state.withLock { $0.timers.cancel(timer) }
    }
}

// MARK: - Sockets

/// What owns a socket; held weakly.
protocol ReactorHandler: AnyObject, Sendable {
    /// Called on the reactor's thread.
    func ready()
}

private struct WeakHandler {
    weak var handler: (any ReactorHandler)?
}

extension PostgresReactor {
    /// Watches for input. The descriptor is the caller's to close, after `unwatch`.
    func watch(_ descriptor: Int32, _ handler: any ReactorHandler) -> UInt64? {
        let token = state.withLock { state in
            state.lastToken += 1
            state.handlers[state.lastToken] = WeakHandler(handler: handler)
            return state.lastToken
        }
        if sockets.add(descriptor, token: token) { return token }
        _ = state.withLock { $0.handlers.removeValue(forKey: token) }
        return nil
    }

    func unwatch(_ descriptor: Int32, token: UInt64) {
        sockets.remove(descriptor, token: token)
        _ = state.withLock { $0.handlers.removeValue(forKey: token) }
    }

    /// Also calls the handler when the descriptor takes more output, or no longer does.
    func setWantsOutput(_ wants: Bool, _ descriptor: Int32, token: UInt64) {
        sockets.setWantsOutput(wants, descriptor, token: token)
    }
}

// MARK: - The thread

extension PostgresReactor {
    private struct Turn {
        var jobs: [UnownedJob]
        var due: [@Sendable () -> Void]
        var timer: Instant?
        var mayWait: Bool
    }

    private func loop() {
        let unowned = asUnownedTaskExecutor()
        var armed: Instant?
        while true {
            let turn = state.withLock { Self.next(&$0) }
            for job in turn.jobs { job.runSynchronously(on: unowned) }
            for action in turn.due { action() }
            if turn.timer != armed {
                armed = turn.timer
                sockets.setTimer(armed?.nanoseconds)
            }
            dispatch(sockets.wait(block: turn.mayWait))
        }
    }

    /// Takes all there is to do; the thread may wait in the kernel only when that is nothing.
    private static func next(_ state: inout State) -> Turn {
        var turn = Turn(jobs: state.jobs, due: [], timer: nil, mayWait: false)
        state.jobs.removeAll(keepingCapacity: false)
        if state.timers.next != nil { turn.due = state.timers.due(at: .now) }
        turn.timer = state.timers.next
        turn.mayWait = turn.jobs.isEmpty && turn.due.isEmpty
        state.isWaiting = turn.mayWait
        return turn
    }

    private func dispatch(_ ready: [UInt64]) {
        if ready.isEmpty { return }
        let handlers = state.withLock { state in
            state.isWaiting = false
            return ready.map { state.handlers[$0]?.handler }
        }
        for handler in handlers { handler?.ready() }
    }
}
