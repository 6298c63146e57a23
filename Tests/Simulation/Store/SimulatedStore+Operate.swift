package import Tenure
package import TenureWorker

/// migrations/functions/operate: what operators do.
extension SimulatedStore {
    package func cancel(_ id: JobID, by whom: String) throws -> String {
        if let index = index(id) {
            if let subject = jobs[index].subject { try wait(for: .subject(subject)) }
            try wait(for: .job(id))
            if jobs[index].state == .running {
                change(index) { job in
                    job.isEnding = true
                    job.endingBy = job.endingBy ?? whom
                }
                return "cancelling"
            }
            retire(at: index, "cancelled", reason: whom)
            return "cancelled"
        }
        return history.contains { $0.job.id == id } ? "finished" : "unknown"
    }

    package func retry(_ id: JobID, as new: JobID) throws -> Enqueued? {
        if let index = index(id) {
            if let subject = jobs[index].subject { try wait(for: .subject(subject)) }
            try wait(for: .job(id))
            let state = jobs[index].state
            if state == .running || state == .waiting {
                return Enqueued(id: id, generation: jobs[index].generation, result: "kept")
            }
            makeAvailable(index)
            return Enqueued(id: id, generation: jobs[index].generation, result: "updated")
        }
        guard let place = history.firstIndex(where: { $0.job.id == id }) else { return nil }
        let past = history[place]
        if let other = past.retriedAs {
            return Enqueued(id: other, generation: nil, result: "kept")
        }
        var options = EnqueueOptions()
        // The lane is there already, and its limits with it.
        options.lane = past.job.lane.map { Lane($0) }
        let job = try NewJob(
            kind: past.job.kind, payload: past.job.payload,
            payloadVersion: past.job.payloadVersion, past.job.key.map { .keeping($0) },
            queue: past.job.queue, priority: JobPriority(past.job.priority),
            maxAttempts: past.job.maxAttempts, options: options, id: new)
        let answer = try enqueue([job], retryOf: id)[0]
        if answer.result != "kept" { history[place].retriedAs = answer.id }
        return answer
    }

    /// Times that lie ahead go back with the clock; whoever is first to say so has them go.
    package func followClock(seenSteps: Int64, back: Int64) -> Bool {
        guard seenSteps == clockSteps else { return false }
        clockSteps += 1
        let now = clock()
        for index in jobs.indices
        where jobs[index].state != .running && jobs[index].runAt > now
            && !isLocked(.job(jobs[index].id))
        {
            change(index) { job in
                job.runAt -= back
                if job.createdAt > now, !job.hasWaiters { job.createdAt -= back }
            }
        }
        return true
    }

    package func releaseHeld(kinds: [ReadableKind], release: String) -> Int {
        var released = 0
        for index in jobs.indices
        where jobs[index].state == .held
            && kinds.reads(jobs[index].kind, jobs[index].payloadVersion)
            && !jobs[index].holdVersions.contains(release) && !isLocked(.job(jobs[index].id))
        {
            // Who has held it stays on it, and passes it over.
            let releases = jobs[index].holdVersions
            makeAvailable(index)
            change(index) { $0.holdVersions = releases }
            released += 1
        }
        return released
    }

    private func makeAvailable(_ index: Int) {
        change(index) { job in
            job.state = .available
            job.runAt = clock()
            job.holdReason = nil
            job.holdVersions = []
        }
    }

    package func pause(_ queue: QueueName) { queues[queue, default: QueueRow()].isPaused = true }

    package func resume(_ queue: QueueName) { queues[queue]?.isPaused = false }

    package func limit(_ queue: QueueName, to most: Int?) {
        var row = queues[queue] ?? QueueRow()
        row.maxRunning = most
        row.holders = jobs.filter { $0.session != nil && $0.queue == queue }.map {
            RunRef(job: $0.id, fence: Fence($0.fence ?? 0))
        }
        queues[queue] = row
    }
}
