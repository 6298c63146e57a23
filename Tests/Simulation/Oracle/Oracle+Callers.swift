import Tenure
import TenurePostgres

/// What callers above READ COMMITTED are told, and what keys look like afterwards.
extension Oracle {
    func didTouch(_ subject: SubjectName) { touches[subject, default: 0] += 1 }

    /// How often these jobs' keys have been touched, and how many of their lanes were made.
    func touches(of jobs: [NewJob]) -> Int {
        let lanes = Set(jobs.compactMap(\.lane)).count { store.lanes[$0] != nil }
        return Set(jobs.compactMap(\.subject)).reduce(lanes) { $0 + touches[$1, default: 0] }
    }

    func didRefuse(_ caller: Caller) {
        world.trace.note(world.now, "refused", caller.transaction)
        reached.add(caller.isSerializable ? .serializableRefused : .repeatableReadRefused)
        if touches(of: caller.jobs) == caller.touches {
            fail("transaction \(caller.transaction) was refused, and nobody had touched its keys")
        }
    }

    /// It passes for something only where the others went on.
    func didPass(_ caller: Caller) {
        world.trace.note(world.now, "passed", caller.transaction)
        if store.lastVersion == caller.snapshot.version { return }
        reached.add(caller.isSerializable ? .serializablePassed : .repeatableReadPassed)
    }

    /// A key has one pending job, and who waits for a run waits for one that goes on.
    func judgeKey(of job: JobRow) {
        guard let subject = job.subject else { return }
        let rows = store.indices(of: subject).map { store.jobs[$0] }
        let pending = rows.filter { $0.state != .running }
        if pending.count > 1 {
            fail("\(pending.count) jobs of key \(subject.key) are pending, job \(job.id.short) too")
        }
        if pending.count == rows.count, let idle = pending.first(where: \.waitsForKey) {
            fail("job \(idle.id.short) waits for a run that is over")
        }
    }

    /// The job that stands for an enqueue is there when that commits, or made way for a later one.
    func judge(_ answer: SimulatedStore.Enqueued) {
        let isCancelled = finals[answer.id] == "cancelled" && store.hasFailed(answer.id)
        if store.index(answer.id) == nil, finals[answer.id] != "superseded", !isCancelled {
            fail("an enqueue is told of job \(answer.id.short), which is over")
        }
    }
}

extension Caller {
    fileprivate var isSerializable: Bool { level == .serializable }
}
