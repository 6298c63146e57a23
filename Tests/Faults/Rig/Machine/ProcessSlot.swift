import FaultSupport
import Synchronization
import TenureSystem

/// A place for one process of the load: starts it, and starts another when it has ended.
final class ProcessSlot: Sendable {
    enum Role: String, Sendable { case worker, coordinator, producer, sink }

    /// One incarnation, as faults name it.
    struct Incarnation: Sendable {
        let name: String
        let pid: pid_t
    }

    private struct State {
        var child: ChildProcess?
        var incarnation: Incarnation?
        var number = 0
        var isFrozen = false
        var isStopping = false
        /// We ended it ourselves.
        var isKilled = false
    }

    let name: String
    let role: Role
    let proxy: DatabaseProxy?
    let clock: SteppedClock?
    private let command: @Sendable (_ name: String) -> [String]
    /// An incarnation ended by itself, with this code.
    private let fell: @Sendable (Incarnation, Int32) -> Void
    private let state = Mutex(State())

    init(
        _ role: Role, name: String, proxy: DatabaseProxy? = nil, clock: SteppedClock? = nil,
        command: @escaping @Sendable (_ name: String) -> [String],
        fell: @escaping @Sendable (Incarnation, Int32) -> Void = { _, _ in }
    ) {
        self.role = role
        self.name = name
        self.proxy = proxy
        self.clock = clock
        self.command = command
        self.fell = fell
    }

    /// Keeps a process running until `stop`.
    func run() async throws {
        while !state.withLock({ $0.isStopping }) {
            let (child, incarnation) = try start()
            while child.ended == nil { try await Task.sleep(for: .milliseconds(10)) }
            let wasOurs = state.withLock { state in
                state.child = nil
                state.isFrozen = false
                return state.isKilled || state.isStopping
            }
            if !wasOurs { fell(incarnation, child.ended ?? 0) }
            try await Task.sleep(for: .milliseconds(400))
        }
    }

    private func start() throws -> (ChildProcess, Incarnation) {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let name = "\(self.name)-\(number)"
        let child = try ChildProcess(command(name), environment: clock?.environment ?? [:])
        let incarnation = Incarnation(name: name, pid: child.pid)
        state.withLock { state in
            state.child = child
            state.incarnation = incarnation
            state.isKilled = false
            if state.isStopping { child.send(SIGTERM) }
        }
        return (child, incarnation)
    }

    var current: Incarnation? {
        state.withLock { $0.child == nil ? nil : $0.incarnation }
    }

    func tell(_ order: String) { state.withLock { $0.child }?.tell(order) }

    /// - Returns: who was killed; nil when nobody runs here just now.
    func kill() -> Incarnation? {
        state.withLock { state in
            guard let child = state.child else { return nil }
            state.isKilled = true
            child.send(SIGKILL)
            return state.incarnation
        }
    }

    /// - Returns: who is frozen now; nil when nobody runs here, or is frozen already.
    func freeze() -> Incarnation? {
        state.withLock { state in
            guard let child = state.child, !state.isFrozen, !state.isKilled else { return nil }
            state.isFrozen = true
            child.send(SIGSTOP)
            return state.incarnation
        }
    }

    func thaw() {
        state.withLock { state in
            state.isFrozen = false
            state.child?.send(SIGCONT)
        }
    }

    /// Asks it to end, by an order or a signal, and starts no other.
    func stop(order: String? = nil) {
        let child = state.withLock { state in
            state.isStopping = true
            return state.child
        }
        if let order { child?.tell(order) } else { child?.send(SIGTERM) }
    }

    /// The exit code, once it has ended; killed when it takes too long.
    func ended(within limit: Duration) async throws -> Int32? {
        guard let child = state.withLock({ $0.child }) else { return 0 }
        do {
            return try await child.end(within: limit)
        } catch is ProcessFailure {
            child.send(SIGKILL)
            return nil
        }
    }
}
