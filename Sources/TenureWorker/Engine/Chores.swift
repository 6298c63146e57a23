import Tenure
import TenureFoundation

/// What a worker does for all of them, beside its jobs, where no event announces it.
struct Chores: Sendable {
    let core: WorkerCore

    /// History has room for the next days even where no coordinator runs.
    func makePartitions() async {
        while !Task.isCancelled {
            var rest = Duration.seconds(6 * 3600)
            do {
                try await core.store.makePartitions()
            } catch {
                if Task.isCancelled { return }
                core.observer.observe(.databaseAway(during: "making partitions", error))
                rest = .seconds(60)
            }
            await pause(rest)
        }
    }

    /// Jobs that nobody claims expire even where no coordinator runs, only later; and an older
    /// worker, still there beside this one, may hold what this one reads.
    func sweep() async {
        var waiting: UUID?
        while !Task.isCancelled {
            await pause(core.configuration.sweepInterval * core.jitter())
            // What goes wrong with one keeps the others from nothing.
            await attempt("looking for expired jobs", expire)
            await attempt("looking at held jobs", releaseHeld)
            await attempt("looking at old claims", core.store.sweepClaims)
            await attempt("looking at waiting jobs") {
                waiting = try await releaseStranded(after: waiting)
            }
        }
    }

    private func attempt(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            if Task.isCancelled { return }
            core.observer.observe(.databaseAway(during: what, error))
        }
    }

    private func expire() async throws {
        let expired = try await core.store.expire()
        for job in expired.jobs {
            core.observer.observe(.expired(job.job, kind: job.kind, queue: job.queue))
        }
        for batch in expired.batches { core.observer.observe(batch) }
    }

    func releaseHeld() async throws {
        let released = try await core.store.releaseHeld(
            kinds: core.readableKinds, release: core.configuration.reader)
        if released > 0 { core.queues.wakeUp() }
    }

    private func releaseStranded(after: UUID?) async throws -> UUID? {
        let sweep = try await core.store.sweepWaiting(after: after)
        if sweep.released > 0 {
            core.observer.observe(.strandedReleased(sweep.released))
            core.queues.wakeUp()
        }
        return sweep.onward
    }

    private func pause(_ duration: Duration) async {
        // Only a cancellation ends the sleep early; the loop's head sees it.
        try? await core.time.sleep(until: core.time.now + duration)
    }
}
