import FaultSupport
import Tenure
import TenureWorker

/// One seed's simulation: workers, producers and mishaps, and a verdict.
package final class Simulation: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    package struct Result: Sendable {
        package let seed: UInt64
        package let mode: String
        /// Of how many jobs.
        package let graph: Int?
        package let violation: String?
        package let hash: UInt64
        package let steps: Int
        package let reached: ReachedSet
        package let lines: [String]
    }

    let seed: UInt64
    let world: World
    let shape: Shape
    /// Instead of the seed's own jobs.
    let graph: JobGraph?
    let store: SimulatedStore
    let network: Network
    let oracle: Oracle
    let wakeups: WakeupBoard
    /// Where the database's clock stands, against the world's.
    let step = ClockStep()
    var places: [RunningWorker?]
    var processes = 0
    var release = 1
    var isStarting = true
    /// The faults are over.
    var isCalm = false
    /// Processes that were asked to end when nothing went wrong any more.
    var calmShutdowns: Set<Int> = []
    var jobNumber = 0
    var known: [JobID] = []
    var workLeft: Int64 = 0

    final class ClockStep: @unchecked Sendable {
        // Unchecked because one thread runs the whole simulation.
        var nanoseconds: Int64 = 0
    }

    /// - Parameter size: of how many jobs a graph is to be run instead of the seed's own.
    package init(
        seed: UInt64, graphOf size: Int? = nil, flaw: Flaw? = nil, keepsLines: Bool = false
    ) {
        self.seed = seed
        let world = World(seed: seed, keepsLines: keepsLines)
        self.world = world
        shape = size.map { Shape(graphOf: $0, &world.random) } ?? Shape(seed: seed, &world.random)
        graph = size.map { Self.graph(of: $0, seed: seed) }
        store = SimulatedStore(flaw: flaw) { [world, step] in
            (world.now + step.nanoseconds) / 1000 * 1000
        }
        network = Network(
            world: world, store: store, faults: shape.faults,
            deadline: shape.lease.wholeNanoseconds)
        oracle = Oracle(world: world, store: store, lease: shape.lease)
        wakeups = WakeupBoard(network: network, oracle: oracle)
        places = Array(repeating: nil, count: shape.workers)
    }

    package func run() -> Result {
        world.trace.say(0, "shape: \(shape)")
        for place in places.indices { start(place) }
        if graph == nil {
            planJobs()
            planCallers()
        } else {
            planGraph()
        }
        planMishaps()
        run(until: shape.span) { false }
        if shape.mode == .liveness { drain() }
        shutDown()
        judgeEnd()
        judgeGraph()
        tearDown()
        return Result(
            seed: seed, mode: shape.mode.rawValue, graph: graph?.nodes.count,
            violation: oracle.violation,
            hash: world.trace.hash, steps: world.steps, reached: oracle.reached,
            lines: world.trace.lines)
    }

    /// Runs until a time of the world, a condition, or a violation.
    private func run(until time: Int64, or isOver: () -> Bool) {
        var isTime = false
        world.at(time) { isTime = true }
        _ = world.run { isTime || oracle.violation != nil || isOver() }
    }

    // MARK: Workers

    func start(_ place: Int) {
        guard isStarting, places[place] == nil else { return }
        processes += 1
        let process = SimulatedProcess(
            world: world, place: place, number: processes, faults: network.faults)
        do {
            let worker = try RunningWorker(
                process: process, shape: shape, network: network, wakeups: wakeups,
                oracle: oracle, release: "\(release)", newJobs: { [unowned self] in followUps() })
            places[place] = worker
            if shape.listens { wakeups.add(worker.listener) }
            worker.start { [weak self] ran in self?.didEnd(worker, ran: ran) }
            world.trace.note(world.now, "process", place, processes)
        } catch {
            oracle.fail("a worker can't be made: \(error)")
        }
    }

    private func didEnd(_ worker: RunningWorker, ran: Bool) {
        if worker.process.isGone { return }
        let place = worker.process.place
        if ran, calmShutdowns.contains(worker.process.number), worker.engine.registry.count > 0 {
            oracle.fail("\(worker.engine.registry.count) runs are left in a registry")
        }
        for record in oracle.running(in: worker.process) {
            oracle.fail("\(record.name) still ran when its worker had shut down")
        }
        places[place] = nil
        worker.process.leave()
        if isStarting { oracle.reached.add(.restarted) }
        // A supervisor starts it anew.
        world.after(300_000_000) { [weak self] in self?.start(place) }
    }

    func crash(_ place: Int) {
        guard let worker = places[place] else { return }
        oracle.reached.add(.crashed)
        world.trace.note(world.now, "crash", worker.process.number)
        places[place] = nil
        if !worker.kill() { oracle.fail("what was left of a killed process did not end") }
    }

    // MARK: The end

    private func drain() {
        calm()
        let lease = shape.lease.wholeNanoseconds
        let limit =
            world.now + 3 * lease + workLeft + shape.listeningPoll.wholeNanoseconds * 2
            + 5_000_000_000
        watchVerdicts()
        if world.random.percent(50) {
            // Nothing goes wrong any more, and what was lost before has been given up: a shutdown
            // leaves nothing behind.
            let place = world.random.below(places.count)
            let wait = 2 * lease + 2_000_000_000 + Int64(world.random.below(Int(lease)))
            world.after(wait) { [self] in
                if isStarting { restart(place) }
            }
        }
        run(until: limit) { isDrained }
        if oracle.violation == nil, !isDrained { oracle.fail("promise 5: \(leftOver)") }
    }

    private var isDrained: Bool {
        store.jobs.allSatisfy(isHeld)
            && places.allSatisfy { $0?.engine.registry.count ?? 0 == 0 }
    }

    /// It waits for another release, or stands in strict order behind one that does.
    private func isHeld(_ job: JobRow) -> Bool {
        if isUnread(job) || waitsForHeld(job) { return true }
        guard job.state.isClaimable, let lane = job.lane else { return false }
        let name = LaneName(queue: job.queue, name: lane)
        guard store.lanes[name]?.isStrict == true else { return false }
        return store.begun(in: name).map(isUnread) ?? false
    }

    /// One that it waits for is held.
    private func waitsForHeld(_ job: JobRow) -> Bool {
        guard job.waitsForJobs, let edges = store.edges[job.id] else { return false }
        return edges.contains { edge in
            store.jobs.contains { $0.id == edge.needs && isHeld($0) }
        }
    }

    /// Nobody here reads it.
    private func isUnread(_ job: JobRow) -> Bool {
        if job.state == .held { return true }
        let releases = places.compactMap { $0?.release }
        return job.state.isClaimable && !releases.isEmpty
            && releases.allSatisfy(job.holdVersions.contains)
    }

    private var leftOver: String {
        let left = store.jobs.filter { !isHeld($0) }
        let jobs = left.prefix(20).map { job in
            "job \(job.id.short) \(job.state) fence \(job.fence ?? 0)"
        }
        let held = places.compactMap { $0?.engine.registry.count }
        return "\(left.count) not drained in time: \(jobs.joined(separator: ", ")); "
            + "in registries: \(held)"
    }

    /// The faults end: everyone is there, and every message comes through.
    private func calm() {
        world.trace.note(world.now, "calm")
        isCalm = true
        network.faults = .none
        network.isStoreAway = false
        network.cutOff = []
        for queue in store.queues.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            store.resume(queue)
        }
        for number in store.transactions.keys.sorted() {
            // Those whose clients are gone; the others go on.
            network.abandonIfForeign(number)
        }
        for place in places.indices {
            places[place]?.process.resume()
            start(place)
        }
        wakeups.tell(.listening)
    }

    private func shutDown() {
        if oracle.violation != nil { return }
        isStarting = false
        for case let worker? in places {
            worker.process.resume()
            oracle.shutdowns.insert(worker.process.number)
            if isCalm { calmShutdowns.insert(worker.process.number) }
            worker.engine.beginShutdown()
        }
        let limit = world.now + 60_000_000_000 + shape.lease.wholeNanoseconds * 6
        run(until: limit) { places.allSatisfy { $0 == nil } }
        if oracle.violation == nil, places.contains(where: { $0 != nil }) {
            oracle.fail("a shutdown did not return")
        }
    }

    private func judgeEnd() {
        for job in store.jobs { oracle.judgeKey(of: job) }
        for id in oracle.acknowledged.sorted(by: { $0.short < $1.short }) {
            let isThere = store.jobs.contains { $0.id == id }
            if isThere == (oracle.finals[id] != nil) {
                oracle.fail("promise 1: job \(id.short) is \(isThere ? "doubled" : "lost")")
            }
        }
    }

    private func tearDown() {
        for place in places.indices where places[place] != nil {
            let worker = places[place]
            places[place] = nil
            if worker?.kill() == false {
                oracle.fail("what was left of a killed process did not end")
            }
        }
    }
}
