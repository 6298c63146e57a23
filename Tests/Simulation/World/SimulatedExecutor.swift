/// One of a process's threads, or thread pools: what it is given is ready at once, or after a
/// stall when the seed says that its thread is slow.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    private unowned let process: SimulatedProcess
    /// One job in so many is stalled; 0 is none.
    private let stallsOneIn: Int
    private let longestStall: Int

    init(process: SimulatedProcess, stallsOneIn: Int, longestStall: Int) {
        self.process = process
        self.stallsOneIn = stallsOneIn
        self.longestStall = longestStall
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let ready = World.ReadyJob(
            job: UnownedJob(job), executor: asUnownedTaskExecutor(), process: process)
        let world = process.world
        if !process.isGone, world.random.oneIn(stallsOneIn) {
            process.stall(ready, for: Int64(world.random.within(0...longestStall)) * 1000)
        } else {
            process.enqueue(ready)
        }
    }
}
