/// One simulated world: a scheduler, a clock, and whatever was planned for later.
///
/// Everything in it runs on the one thread that calls `run`: Swift tasks through executors whose
/// ready jobs are picked by the seed, all else as events of the world's time. Time stands still
/// while anything is ready.
package final class World: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    typealias Nanoseconds = Int64

    private(set) var now: Nanoseconds = 0
    var random: SeededRandom
    let trace: Trace
    private(set) var steps = 0
    private var ready: [ReadyJob] = []
    private var events = EventQueue()

    struct ReadyJob {
        let job: UnownedJob
        let executor: UnownedTaskExecutor
        let process: SimulatedProcess
    }

    init(seed: UInt64, keepsLines: Bool) {
        random = SeededRandom(seed)
        trace = Trace(keepsLines: keepsLines)
    }

    /// Plans something of the world itself.
    func after(_ delay: Nanoseconds, _ action: @escaping () -> Void) {
        events.add(at: now + max(0, delay), action)
    }

    func at(_ time: Nanoseconds, _ action: @escaping () -> Void) {
        events.add(at: max(now, time), action)
    }

    func add(_ job: ReadyJob) { ready.append(job) }

    /// Takes the ready jobs of one process away: it is paused, or gone.
    func takeReady(of process: SimulatedProcess) -> [ReadyJob] {
        let taken = ready.filter { $0.process === process }
        if !taken.isEmpty { ready.removeAll { $0.process === process } }
        return taken
    }

    /// Runs until `isOver`, or until nothing is left to do.
    /// - Returns: false when nothing was left.
    func run(until isOver: () -> Bool) -> Bool {
        while !isOver() {
            steps += 1
            if !ready.isEmpty {
                runOne()
            } else if let event = events.pop() {
                now = event.time
                event.action()
            } else {
                return false
            }
        }
        return true
    }

    private func runOne() {
        let index = ready.count == 1 ? 0 : random.below(ready.count)
        let picked = ready[index]
        ready.swapAt(index, ready.count - 1)
        ready.removeLast()
        trace.mix(now, "run", picked.process.number, index)
        picked.job.runSynchronously(on: picked.executor)
    }
}
