import Tenure
import TenurePostgres

/// A producer's transaction that keeps its snapshot, from its first statement on.
struct Caller {
    let level: PostgresIsolation
    let jobs: [NewJob]
    let transaction: Int
    let snapshot: Snapshot
    /// How often its keys and lanes had been touched by then.
    let touches: Int
}

/// Callers at REPEATABLE READ and SERIALIZABLE: all the others go on between what they see and what
/// they enqueue. Refused, they begin anew.
extension Simulation {
    func planCallers() {
        for _ in 0..<world.random.below(7) {
            plan { [self] in
                let jobs = (0..<world.random.pick([1, 1, 2])).map { _ in newJob(newKey()) }
                call(jobs, at: world.random.pick([.repeatableRead, .serializable]))
            }
        }
    }

    private func call(_ jobs: [NewJob], at level: PostgresIsolation) {
        let transaction = store.begin()
        transaction.isForeign = true
        let caller = Caller(
            level: level, jobs: jobs, transaction: transaction.number, snapshot: store.snapshot(),
            touches: oracle.touches(of: jobs))
        world.trace.note(world.now, "snapshot", transaction.number)
        after(upTo: 1500) { [self] in enqueue(caller) }
    }

    private func after(upTo milliseconds: Int, _ action: @escaping () -> Void) {
        world.after(Int64(world.random.below(milliseconds)) * 1_000_000, action)
    }

    private func enqueue(_ caller: Caller) {
        guard let transaction = store.transactions[caller.transaction] else {
            return  // The server crashed meanwhile, or the faults are over.
        }
        do {
            try store.lock(caller.jobs.compactMap(\.subject), nil, for: transaction)
            try store.requireCurrent(caller.snapshot, for: caller.jobs)
        } catch let blocked as Blocked {
            store.transactions[blocked.transaction]?.waiters.append { [self] in
                world.after(0) { self.enqueue(caller) }
            }
            return
        } catch {
            store.abort(caller.transaction)
            oracle.didRefuse(caller)
            return call(caller.jobs, at: caller.level)
        }
        oracle.didPass(caller)
        let isLost = world.random.percent(10)
        transaction.effects.append { [self] store in
            acknowledge(try store.enqueue(caller.jobs, in: caller.snapshot), isLost: isLost)
        }
        after(upTo: 800) { [self] in end(caller) }
    }

    private func end(_ caller: Caller) {
        if world.random.percent(10) { return store.abort(caller.transaction) }
        do {
            try store.commit(caller.transaction)
            wakeups.send(Wakeup.after(caller.jobs))
        } catch {
            // The server crashed meanwhile, or the faults are over.
        }
    }
}
