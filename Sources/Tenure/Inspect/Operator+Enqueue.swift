import TenurePostgres

extension Operator {
    /// Enqueues a job by hand, in one transaction with its row in the audit log. What a queue's
    /// capacity would refuse of a program is for the caller to ask (``TenureClient/room(in:)``).
    public func enqueue(_ job: NewJob) async throws -> EnqueuedJob {
        let jobs = try [job].sent.traced.sealed(by: client.seals)
        let made = try await withRemedy {
            try await client.pool.transaction(isolation: .readCommitted) { transaction in
                let made = try await transaction.execute(EnqueueJobs(jobs))[0]
                transaction.keepDurable()
                guard made.result != .kept else { return made }
                let about: [String: PayloadValue] = [
                    "ids": .array([.text("\(made.id)")]), "kind": .text(job.kind.rawValue),
                    "queue": .text(job.queue.rawValue),
                ]
                _ = try await transaction.execute(doer.action("enqueue", "job", about, jobs: 1))
                return made
            }
        }
        await client.notifier.send(Wakeup.after(jobs))
        return made
    }
}
