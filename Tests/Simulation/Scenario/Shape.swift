/// What one seed's simulation looks like.
struct Shape {
    /// Faults for ever, or faults that end and then a drain.
    package enum Mode: String { case safety, liveness }

    let mode: Mode
    let lease: Duration
    let workers: Int
    let slots: Int
    let grace: Duration
    let poll: Duration
    let listeningPoll: Duration
    let listens: Bool
    /// How long jobs come and faults go on.
    let span: Int64
    let jobs: Int
    let mishaps: Int
    let faults: FaultProfile

    init(seed: UInt64, _ random: inout SeededRandom) {
        mode = seed % 2 == 0 ? .safety : .liveness
        lease = .milliseconds(random.pick([1500, 2000, 3000, 6000]))
        workers = random.pick([1, 2, 2, 2, 3])
        slots = random.pick([1, 1, 2, 4])
        grace = .milliseconds(random.pick([0, 500, 2000]))
        poll = .milliseconds(random.pick([300, 1000]))
        listeningPoll = .seconds(random.pick([1, 3]))
        listens = random.percent(80)
        span = lease.wholeNanoseconds * Int64(random.within(2...4))
        jobs = random.within(4...14)
        mishaps = random.pick([0, 1, 2, 2, 3])
        faults = random.percent(90) ? .drawn(&random) : .none
    }

    /// Enough room for a graph, and mishaps from its beginning to its end.
    init(graphOf jobs: Int, _ random: inout SeededRandom) {
        mode = .liveness
        lease = .milliseconds(random.pick([1500, 2000, 3000]))
        workers = 3
        slots = 8
        grace = .milliseconds(random.pick([0, 500, 2000]))
        poll = .milliseconds(random.pick([300, 1000]))
        listeningPoll = .seconds(random.pick([1, 3]))
        listens = random.percent(80)
        span = Int64(jobs) * 10_000_000
        self.jobs = jobs
        mishaps = random.within(5...15)
        faults = random.percent(90) ? .drawn(&random) : .none
    }
}
