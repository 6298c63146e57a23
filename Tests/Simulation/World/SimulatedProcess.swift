/// A process of the world: its threads, its clock, and whether it runs, is paused, or is gone.
///
/// While it is paused nothing of it runs, and the world and its clock go on. When it is gone, what
/// is left of its tasks is run to the end at once, cut off from the world and in a time of its
/// own, so that nothing leaks and nothing of it is felt.
final class SimulatedProcess: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let world: World
    /// The place it has among the workers; a restarted one has the same.
    let place: Int
    let number: Int
    private(set) var isPaused = false
    private(set) var isGone = false
    /// When it last came back from a pause.
    private(set) var resumedAt: Int64 = -1_000_000_000_000
    private(set) var clock: SimulatedClock!
    private(set) var control: SimulatedExecutor!
    private(set) var beats: SimulatedExecutor!
    private(set) var handlers: SimulatedExecutor!
    /// Jobs that a slow thread has not come to yet.
    private var stalled: [Int: World.ReadyJob] = [:]
    private var stalls = 0
    private var held: [World.ReadyJob] = []
    private var missed: [() -> Void] = []
    private var cutOff: [Int: () -> Void] = [:]
    private var cutOffs = 0

    init(world: World, place: Int, number: Int, faults: FaultProfile) {
        self.world = world
        self.place = place
        self.number = number
        clock = SimulatedClock(
            process: self, millionths: world.random.within(-faults.clockError...faults.clockError),
            offset: world.random.below(1_000_000_000))
        // A heartbeat's thread is stalled within a timer's tick; handlers may hog theirs.
        control = SimulatedExecutor(
            process: self, stallsOneIn: faults.stallsOneIn, longestStall: 2000)
        beats = SimulatedExecutor(
            process: self, stallsOneIn: faults.stallsOneIn, longestStall: 2000)
        handlers = SimulatedExecutor(
            process: self, stallsOneIn: faults.handlerStallsOneIn, longestStall: 900_000)
    }

    /// It was frozen, or has been until just now: it could not act.
    func couldNotAct(within grace: Int64) -> Bool { isPaused || world.now - resumedAt <= grace }

    func enqueue(_ job: World.ReadyJob) {
        if isPaused || isGone { held.append(job) } else { world.add(job) }
    }

    func stall(_ job: World.ReadyJob, for delay: Int64) {
        stalls += 1
        let number = stalls
        stalled[number] = job
        world.after(delay) { [self] in
            if let job = stalled.removeValue(forKey: number) { enqueue(job) }
        }
    }

    /// Something that reaches the process at a time of the world, or when it can be reached.
    func at(_ time: Int64, _ action: @escaping () -> Void) {
        world.at(time) { [self] in reach(action) }
    }

    func reach(_ action: @escaping () -> Void) {
        if isGone { return }
        if isPaused { missed.append(action) } else { action() }
    }

    func pause() {
        isPaused = true
        held += world.takeReady(of: self)
    }

    func resume() {
        guard isPaused, !isGone else { return }
        isPaused = false
        resumedAt = world.now
        let actions = missed
        missed = []
        for job in held { world.add(job) }
        held = []
        for action in actions { action() }
    }

    // MARK: The end

    /// It has ended by itself.
    func leave() {
        isGone = true
        missed = []
    }

    /// Something to be told when the process is gone; returns the number to take it back by.
    func whenGone(_ action: @escaping () -> Void) -> Int {
        cutOffs += 1
        cutOff[cutOffs] = action
        return cutOffs
    }

    func forget(_ number: Int) { cutOff[number] = nil }

    /// Kills the process and runs out what is left of it. Returns whether all of it ended.
    func kill(_ root: Task<Void, Never>, isOver: () -> Bool) -> Bool {
        held += world.takeReady(of: self)
        held += stalled.keys.sorted().compactMap { stalled[$0] }
        stalled = [:]
        isGone = true
        isPaused = false
        missed = []
        clock.detach()
        root.cancel()
        for number in cutOff.keys.sorted() { cutOff[number]?() }
        cutOff = [:]
        var left = 300_000
        while !isOver() || !held.isEmpty, left > 0 {
            left -= 1
            if held.isEmpty {
                if !clock.wakeNext() {
                    world.trace.say(world.now, "nothing of it is left to run: it hangs")
                    return isOver()
                }
            } else {
                let next = held
                held = []
                for job in next { job.job.runSynchronously(on: job.executor) }
            }
        }
        return left > 0
    }
}
