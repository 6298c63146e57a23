// docs/decisions/slots.md

import Tenure
import TenurePostgres

/// The slots: what is claimed begins here, once the session's note that names it is on its way.
extension Claimer {
    /// A slot whose jobs never wait for anything lets others have its thread after this.
    private static let longestTurn = Duration.milliseconds(1)
    /// What is named begins within this time, or is named no more.
    private static let longestNaming = Duration.milliseconds(50)
    /// After a note that failed.
    private static let noteRest = Duration.milliseconds(100)

    /// Runs until it is stopped and the slots are empty.
    func runSlots() async {
        await withDiscardingTaskGroup { group in
            while !queue.state.withLock({ $0.isStopped }) {
                startNote(&group)
                fill(&group)
                await waitForSlots()
            }
        }
    }

    private func waitForSlots() async {
        let now = worker.time.now
        let (isDue, hasNames) = queue.state.withLock { state in
            let isDue = state.takeBackNames(after: Self.longestNaming, at: now)
            return (isDue, state.notes.sent > 0)
        }
        if isDue {
            return
        } else if hasNames {
            await queue.slotsWake.wait(until: now + Self.longestNaming, on: worker.time)
        } else {
            await queue.slotsWake.wait()
        }
    }

    // MARK: Notes

    private func startNote(_ group: inout DiscardingTaskGroup) {
        let now = worker.time.now
        let note = queue.state.withLock { state in
            state.startNote(in: queue.name, at: now) { worker.registry.isOpen($0) }
        }
        guard let note else { return }
        // Most often it has been sent when this returns: the slots need not wait for it.
        group.addImmediateTask(executorPreference: worker.surroundings.control) {
            await self.send(note)
        }
    }

    private func send(_ note: BegunNote) async {
        var isAnswered = false
        do {
            let isAlive = try await worker.store.note(note) {
                queue.state.withLock { $0.noteLeft(note) }
                queue.slotsWake.notify()
            }
            isAnswered = true
            if !isAlive { worker.lease.beatSoon() }
        } catch {
            worker.observer.observe(.databaseAway(during: "noting what begins", error))
            // Only a cancellation ends the sleep early, and then nothing begins any more.
            try? await worker.time.sleep(until: worker.time.now + Self.noteRest)
        }
        queue.state.withLock { [isAnswered] in $0.noteEnded(note, isAnswered: isAnswered) }
        queue.slotsWake.notify()
    }

    // MARK: Runs

    private func fill(_ slots: inout DiscardingTaskGroup) {
        while let run = takeForNewSlot() {
            slots.addTask(executorPreference: worker.surroundings.handlers) {
                await self.runSlot(run)
            }
        }
    }

    private func takeForNewSlot() -> Run? {
        let now = worker.time.now
        return queue.state.withLock { state in
            guard state.running < state.demand.slots, let run = state.takeNext(at: now) else {
                return nil
            }
            state.running += 1
            return run
        }
    }

    private func runSlot(_ first: Run) async {
        var turnBegan = worker.time.now
        var next: Run? = first
        while let run = next {
            let now = await worker.execute(run)
            // A cancelled task stays cancelled: the next run gets another.
            next = takeNext(after: run, endsHere: Task.isCancelled, at: now)
            if next != nil, turnBegan.duration(to: now) > Self.longestTurn {
                await Task.yield()
                turnBegan = worker.time.now
            }
        }
    }

    private func takeNext(
        after run: Run, endsHere: Bool, at now: ContinuousClock.Instant
    ) -> Run? {
        let (next, isLow, asksForNote) = queue.state.withLock { state in
            state.demand.ended(1, at: now)
            if run.job.lane != nil {
                state.isDrained = false
                state.hasNews = true
            }
            let next = endsHere ? nil : state.takeNext(at: now)
            if next == nil { state.running -= 1 }
            let isWaiting = next == nil && !state.buffer.isEmpty
            return (next, state.wanted > 0, isWaiting || state.toName(at: now) != nil)
        }
        if isLow { claimSoon() }
        if asksForNote { queue.slotsWake.notify() }
        return next
    }
}
