import Synchronization
import Tenure
import TenurePostgres

/// Reports that handlers block the threads which all of them share.
///
/// Swift runs async code on as many threads as there are cores. A handler that computes for long,
/// or waits in a call that isn't async, keeps one of them: beats and leases have threads of their
/// own and hold, but no other handler goes on. From outside nothing is seen but slowness.
struct ThreadWatch: Sendable {
    let registry: RunRegistry
    let observer: any EventObserver
    let time: any Timekeeper
    /// Where the handlers run.
    let handlers: any TaskExecutor
    private static let rest = Duration.milliseconds(500)
    private static let repeatAfter = Duration.seconds(60)
    /// So many looks in a row that nothing moved between. Counted in looks and not by the clock: a
    /// process that was stopped and goes on has made none meanwhile.
    private static let patience = 2

    /// A task's way onto the handlers' threads.
    private final class Probe: Sendable {
        private let arrived = Atomic(false)
        var hasArrived: Bool { arrived.load(ordering: .acquiring) }
        func arrive() { arrived.store(true, ordering: .releasing) }
    }

    private struct Memory {
        var probe: (sent: Probe, at: ContinuousClock.Instant)?
        var looks = 0
        var saidAt: ContinuousClock.Instant?
    }

    func run() async {
        var memory = Memory()
        while !Task.isCancelled {
            look(&memory, time.now)
            do { try await time.sleep(until: time.now + Self.rest) } catch { return }
        }
    }

    private func look(_ memory: inout Memory, _ now: ContinuousClock.Instant) {
        if let probe = memory.probe, !probe.sent.hasArrived {
            memory.looks += 1
            if memory.looks >= Self.patience {
                say(&memory, since: probe.at.duration(to: now), now)
            }
            return
        }
        if memory.saidAt != nil, let probe = memory.probe {
            observer.observe(.handlersMove(after: probe.at.duration(to: now)))
        }
        let probe = Probe()
        memory = Memory(probe: (probe, now))
        // Nobody waits for it: while the threads are blocked it can't even be cancelled.
        Task(executorPreference: handlers) { probe.arrive() }
    }

    private func say(
        _ memory: inout Memory, since: Duration, _ now: ContinuousClock.Instant
    ) {
        if let said = memory.saidAt, said.duration(to: now) < Self.repeatAfter { return }
        memory.saidAt = now
        observer.observe(.handlersBlocked(since: since, running: kinds()))
    }

    /// What runs, the most frequent kind first: "resize (2), mail".
    private func kinds() -> String {
        Dictionary(registry.all.map { ($0.info.kind.rawValue, 1) }, uniquingKeysWith: +)
            .sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .prefix(5).map { $0.value > 1 ? "\($0.key) (\($0.value))" : $0.key }
            .joined(separator: ", ")
    }
}
