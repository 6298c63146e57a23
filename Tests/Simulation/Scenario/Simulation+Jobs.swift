import Tenure
import TenureWorker

/// Producers and operators.
extension Simulation {
    private static let queues: [QueueName] = ["first", "first", "second"]
    private static let keys = ["a", "b", "c"]

    func planJobs() {
        var left = shape.jobs
        while left > 0 {
            let count = world.random.pick([1, 1, 1, 2, 4])
            left -= count
            if world.random.percent(25) {
                plan { [self] in enqueue([newWaiter()]) }
            } else {
                plan { [self] in enqueue((0..<count).map { _ in newJob() }) }
            }
        }
        for _ in 0..<world.random.below(5) { plan { [self] in operate() } }
        if world.random.percent(30) { plan { [self] in supersedeSlowly() } }
    }

    func plan(_ action: @escaping () -> Void) {
        world.at(Int64(world.random.below(Int(shape.span / 10 * 8)))) { action() }
    }

    // MARK: Jobs

    func newJob(_ mode: KeyMode? = nil) -> NewJob {
        let isTimed = world.random.percent(20)
        var character = world.random.pick(Character.ending)
        if world.random.percent(15) { character = .gathers }
        if isTimed, world.random.percent(40) { character = .endless }
        if world.random.oneIn(25) { character = .unreadable }
        let time = world.random.pick([0, 20, 150, 600, 600, 1500, 4000])
        return newJob(character, time, isTimed: isTimed, mode: mode ?? newMode())
    }

    /// One that waits for up to three others, unfinished or over, of no key of its own.
    private func newWaiter() -> NewJob {
        let mode: KeyMode? =
            switch world.random.below(4) {
            case 0: .superseding(world.random.pick(Self.keys))
            case 1: .keeping(world.random.pick(Self.keys))
            default: nil
            }
        let some = (store.jobs + store.history.map(\.job)).filter {
            $0.key == nil || $0.key != mode?.key
        }.map(\.id)
        let needs = Set(
            (0..<world.random.within(1...3)).compactMap { _ in
                some.isEmpty ? nil : world.random.pick(some)
            }
        ).sorted { $0.isBefore($1) }
        let after: [Predecessor] = needs.map {
            world.random.percent(30) ? .ended($0) : .completed($0)
        }
        workLeft += 12_000_000_000
        return newJob(.quick, 0, isTimed: false, mode: mode, after: after)
    }

    private func newJob(
        _ character: Character, _ time: Int, isTimed: Bool, mode: KeyMode?,
        after: [Predecessor] = []
    ) -> NewJob {
        var options = EnqueueOptions()
        options.after = after
        if world.random.percent(20) {
            options.runTime = .after(.milliseconds(world.random.below(1500)))
        }
        let queue = world.random.pick(Self.queues)
        if world.random.percent(20) {
            options.lane = Lane(
                world.random.pick(["x", "y"]), maxRunning: world.random.within(1...2),
                minInterval: .milliseconds(world.random.pick([0, 0, 300])))
            options.lane?.burst = world.random.pick([1, 1, 3])
            options.lane?.weight = world.random.pick([1, 1, 2])
        } else if world.random.percent(10) {
            options.lane = Lane("in order", order: .strict)
        }
        jobNumber += 1
        let attempts = world.random.within(1...4)
        workLeft += Int64(min(time, 5000) + 1500) * 1_000_000 * Int64(attempts + 2)
        do {
            return try NewJob(
                kind: isTimed ? "timed" : "work", payload: Payload(character, time).json, mode,
                queue: queue, priority: JobPriority(Int16(world.random.within(4...6))),
                maxAttempts: attempts, options: options,
                id: JobID(milliseconds: UInt64(jobNumber), random: (0, UInt64(jobNumber))))
        } catch {
            preconditionFailure("the scenario makes a job that is refused: \(error)")
        }
    }

    private func newMode() -> KeyMode? { world.random.percent(70) ? newKey() : nil }

    func newKey() -> KeyMode {
        let key = world.random.pick(Self.keys)
        switch world.random.below(7) {
        case 0, 1: return .superseding(key)
        case 2: return .superseding(key, overlap: .forbidden)
        case 3, 4: return .coalescing(key)
        case 5: return .keeping(key)
        default: return .debounced(key, interval: .milliseconds(300), maxWait: .seconds(1))
        }
    }

    /// What a handler adds in its commit.
    func followUps() -> [NewJob] {
        if jobNumber > 60 { return [] }
        return (0..<world.random.within(1...2)).map { _ in
            newJob(.quick, 0, isTimed: false, mode: newMode())
        }
    }

    private func enqueue(_ jobs: [NewJob]) {
        let fate = world.random.below(network.faults.requestLostOneIn > 0 ? 20 : 1)
        if fate == 19 { return }  // It never came.
        do {
            acknowledge(try store.enqueue(jobs), isLost: fate == 18)
            if jobs.contains(where: { $0.mode?.way == .debounced }) {
                oracle.reached.add(.debounced)
            }
            wakeups.send(Wakeup.after(jobs))
        } catch let blocked as Blocked {
            store.transactions[blocked.transaction]?.waiters.append { [self] in enqueue(jobs) }
        } catch {
            oracle.fail("an enqueue failed: \(error)")
        }
    }

    /// The answers reach their producer when he has committed, or are lost.
    func acknowledge(_ answers: [SimulatedStore.Enqueued], isLost: Bool) {
        for answer in answers {
            world.trace.note(world.now, "enqueue", answer.id.short, Int(answer.generation ?? 0))
            if !known.contains(answer.id) { known.append(answer.id) }
            switch answer.result {
            case "updated": oracle.reached.add(.coalesced)
            case "kept": oracle.reached.add(.kept)
            default: break
            }
            oracle.judge(answer)
            if !isLost { oracle.acknowledged.insert(answer.id) }
        }
        if isLost { oracle.reached.add(.unacknowledgedEnqueue) }
    }

    // MARK: Operators

    private func operate() {
        switch world.random.below(6) {
        case 0, 1, 2: cancel()
        case 3: retry()
        case 4: pauseQueue()
        default: store.limit("first", to: world.random.within(1...2))
        }
    }

    private func cancel() {
        guard !known.isEmpty else { return }
        let running = store.jobs.filter { $0.state == .running }.map(\.id)
        let job = world.random.pick(running.isEmpty ? known : running)
        do {
            if try store.cancel(job, by: "operator") == "cancelling" {
                wakeups.send([Wakeup(channel: Wakeup.endings, payload: "job:\(job)")])
            }
        } catch {
            // Locked just then: another time.
        }
    }

    private func retry() {
        // What a repeated waiter waits for is asked of PostgreSQL alone.
        let known = known.filter { store.index($0) != nil || store.edges[$0] == nil }
        guard !known.isEmpty else { return }
        jobNumber += 1
        let job = JobID(milliseconds: UInt64(jobNumber), random: (0, UInt64(jobNumber)))
        do {
            guard let found = try store.retry(world.random.pick(known), as: job) else { return }
            oracle.reached.add(.operatorRetry)
            oracle.acknowledged.insert(found.id)
            workLeft += 20_000_000_000
        } catch {
            // Locked just then: another time.
        }
    }

    private func pauseQueue() {
        oracle.reached.add(.queuePaused)
        store.pause("first")
        world.after(Int64(world.random.below(3000)) * 1_000_000) { [self] in
            store.resume("first")
            wakeups.send([Wakeup(channel: Wakeup.available, payload: "first")])
        }
    }

    /// A producer whose transaction stays open after it has superseded a key.
    private func supersedeSlowly() {
        let key = world.random.pick(Self.keys)
        let job = newJob(.quick, 0, isTimed: false, mode: .superseding(key))
        let transaction = store.begin()
        do {
            try store.lock([SubjectName(kind: "work", key: key)], nil, for: transaction)
        } catch {
            return store.abort(transaction.number)
        }
        oracle.reached.add(.openSupersede)
        transaction.effects.append { [self] store in
            acknowledge(try store.enqueue([job]), isLost: false)
        }
        transaction.isForeign = true
        world.after(Int64(world.random.within(50...2500)) * 1_000_000) { [self] in
            if world.random.percent(20) { return store.abort(transaction.number) }
            do {
                try store.commit(transaction.number)
                wakeups.send(Wakeup.after([job]))
            } catch {
                // The server crashed meanwhile.
            }
        }
    }
}
