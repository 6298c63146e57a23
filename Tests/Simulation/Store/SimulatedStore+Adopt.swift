package import Tenure

/// For the comparison with PostgreSQL, whose clock nobody can set: the times that it wrote are
/// taken over, everything else must come out the same by itself.
extension SimulatedStore {
    package func adopt(runAt: Int64, createdAt: Int64, of id: JobID) {
        guard let index = index(id) else { return }
        let job = jobs[index]
        if (job.runAt, job.createdAt) == (runAt, createdAt) { return }
        change(index) { job in
            job.runAt = runAt
            job.createdAt = createdAt
        }
    }

    package func adopt(nextAt: Int64, turnAt: Int64, of lane: LaneName) {
        lanes[lane]?.nextAt = nextAt
        lanes[lane]?.turnAt = turnAt
    }

    package func keepCompleted(_ keeps: Bool, in queue: QueueName) {
        queues[queue, default: QueueRow()].keepsCompleted = keeps
    }
}

extension LaneName {
    package init(_ queue: QueueName, _ name: String) {
        self.init(queue: queue, name: name)
    }
}
