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
    final class Probe: Sendable {
        private let arrived = Atomic(false)
        var hasArrived: Bool { arrived.load(ordering: .acquiring) }
        func arrive() { arrived.store(true, ordering: .releasing) }
    }

    struct Memory {
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

    func look(_ memory: inout Memory, _ now: ContinuousClock.Instant) {
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
        let kinds = registry.all.map(\.info.kind.rawValue)
        let counts = Dictionary(grouping: kinds, by: \.self).mapValues(\.count)
        let most = counts.sorted { a, b in
            a.value == b.value ? a.key < b.key : a.value > b.value
        }
        let named = most.prefix(5).map { kind, count in count > 1 ? "\(kind) (\(count))" : kind }
        return named.joined(separator: ", ")
    }
}
