import Tenure
import TenureWorker

/// What befalls processes, the network and the database.
extension Simulation {
    func planMishaps() {
        for _ in 0..<shape.mishaps {
            let time = Int64(world.random.below(Int(shape.span)))
            world.at(time) { [self] in
                if isStarting, world.now < shape.span { mishap() }
            }
        }
    }

    private func mishap() {
        let place = world.random.below(places.count)
        switch world.random.below(9) {
        case 0, 1: pause(place)
        case 2, 3:
            crash(place)
            release += 1
            world.after(milliseconds(0...2500)) { [self] in start(place) }
        case 4: restart(place)
        case 5: cutOff(place)
        case 6: storeAway(crashes: false)
        case 7: storeAway(crashes: true)
        default: stepClock()
        }
    }

    private func milliseconds(_ range: ClosedRange<Int>) -> Int64 {
        Int64(world.random.within(range)) * 1_000_000
    }

    /// Some spells are short, some longer than a lease.
    private func spell() -> Int64 {
        let lease = Int(shape.lease.wholeNanoseconds / 1_000_000)
        return milliseconds(50...world.random.pick([lease / 2, lease, lease * 2]))
    }

    private func pause(_ place: Int) {
        guard let process = places[place]?.process else { return }
        oracle.reached.add(.paused)
        world.trace.note(world.now, "pause", process.number)
        process.pause()
        world.after(spell()) { [world] in
            world.trace.note(world.now, "resume", process.number)
            process.resume()
        }
    }

    func restart(_ place: Int) {
        guard let worker = places[place] else { return }
        oracle.reached.add(.shutDown)
        oracle.shutdowns.insert(worker.process.number)
        if isCalm { calmShutdowns.insert(worker.process.number) }
        world.trace.note(world.now, "shutdown", worker.process.number)
        worker.process.reach { [self] in
            worker.engine.beginShutdown()
            let clock = worker.process.clock!
            let end = clock.reading + shape.grace.wholeNanoseconds
            world.at(clock.moment(of: end) + Oracle.tick * 2) { [self] in
                oracle.judgeShutdown(of: worker.process)
            }
        }
    }

    private func cutOff(_ place: Int) {
        oracle.reached.add(.partitioned)
        world.trace.note(world.now, "cut off", place)
        network.cutOff.insert(place)
        wakeups.tell(.lost, place: place)
        world.after(spell()) { [self] in
            network.cutOff.remove(place)
            wakeups.tell(.listening, place: place)
        }
    }

    private func storeAway(crashes: Bool) {
        oracle.reached.add(crashes ? .storeCrashed : .storeAway)
        world.trace.note(world.now, "away", crashes ? 1 : 0)
        network.isStoreAway = true
        if crashes { store.crash() }
        wakeups.tell(.lost)
        world.after(crashes ? milliseconds(100...1500) : spell()) { [self] in
            network.isStoreAway = false
            wakeups.tell(.listening)
        }
    }

    /// The database's clock is set; the workers' go on.
    private func stepClock() {
        guard shape.mode == .safety else { return }
        oracle.reached.add(.clockStepped)
        step.nanoseconds += Int64(world.random.within(-20_000...20_000)) * 1_000_000
    }

    /// While nothing goes wrong, a run learns within a beat that its right is gone.
    func watchVerdicts() {
        let lease = shape.lease.wholeNanoseconds
        let most = lease / 6 + lease / 10 + Oracle.tick
        var since: [Int64: Int64] = [:]
        func look() {
            for (fence, record) in oracle.runs
            where !record.isOver && !record.isCancelled && !record.isCommitting
                && !record.process.isGone && store.verdict(of: record.ref) != nil
            {
                let first = since[fence] ?? world.now
                since[fence] = first
                if world.now - first > most + most / 50 {
                    oracle.fail("\(record.name) was not told that its right is gone")
                }
            }
            world.after(100_000_000) { if self.isStarting { look() } }
        }
        world.after(lease) { look() }
    }
}

extension Network {
    func abandonIfForeign(_ number: Int) {
        if store.transactions[number]?.isForeign == true { store.abort(number) }
    }
}
