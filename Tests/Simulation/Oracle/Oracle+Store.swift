import Tenure
import TenureWorker

/// What the oracle judges as the tables change.
extension Oracle: StoreWatcher {
    func didInsert(_ job: JobRow) {
        if job.waitsForKey { reached.add(.waitedForKey) }
        if finals[job.id] != nil { fail("promise 1: job \(job.id.short) is there again") }
        judgeKey(of: job)
    }

    func didRetire(_ row: HistoryRow) {
        let id = row.job.id
        world.trace.note(world.now, "final", id.short, row.attempt)
        if let earlier = finals[id] {
            fail("promise 1: job \(id.short) ended as \(earlier) and as \(row.outcome)")
        }
        finals[id] = row.outcome
        finishes[id] = store.clock() / 1000
        if row.reason == SimulatedStore.after {
            reached.add(.cancelledWithAnother)
            if !store.hasFailed(id) { fail("job \(id.short) was cancelled for nobody's end") }
        }
        switch row.outcome {
        case "completed": reached.add(.completed)
        case "discarded": reached.add(.discarded)
        case "cancelled": reached.add(.cancelled)
        default: reached.add(.superseded)
        }
    }

    func didClaim(_ job: JobRow, session: Int64) {
        let fence = job.fence ?? 0
        world.trace.note(world.now, "claimed", job.id.short, Int(fence))
        claims[fence] = session
        if starts[job.id] == nil { starts[job.id] = store.clock() / 1000 }
        if job.attempt > job.maxAttempts {
            fail("job \(job.id.short) has attempt \(job.attempt) of \(job.maxAttempts)")
        }
        judgeWaits(of: job)
        let queue = store.jobs.filter { $0.queue == job.queue && $0.state == .running }
        if let most = store.queues[job.queue]?.maxRunning {
            if queue.count > most { fail("promise 6: \(queue.count) run in \(job.queue)") }
            if queue.count == most { reached.add(.queueFull) }
        }
        if let lane = job.lane, let row = store.lanes[LaneName(queue: job.queue, name: lane)] {
            let running = queue.filter { $0.lane == lane }.count
            if running > row.maxRunning { fail("promise 6: \(running) run in lane \(lane)") }
            if running == row.maxRunning { reached.add(.laneFull) }
            judgeRate(of: LaneName(queue: job.queue, name: lane), row)
            if row.isStrict { judgeOrder(of: job) }
        }
    }

    /// All that it waits for is over, and completed where it has to be.
    private func judgeWaits(of job: JobRow) {
        guard let edges = store.edges[job.id] else { return }
        reached.add(.letGo)
        for edge in edges {
            let end = finals[edge.needs]
            if end == nil || !edge.goesOn && end != "completed" {
                fail("job \(job.id.short) started, and \(edge.needs.short) is \(end ?? "not over")")
            }
        }
    }

    /// No other of the lane has begun and is unfinished.
    private func judgeOrder(of job: JobRow) {
        let others = store.jobs.filter {
            $0.queue == job.queue && $0.lane == job.lane && $0.id != job.id
        }
        if let begun = others.first(where: { $0.runs > 0 }) {
            fail("strict order: \(job.id) started while \(begun.id) has begun and isn't over")
        }
        if job.runs > 1, !others.isEmpty { reached.add(.keptInOrder) }
    }

    /// In any span between two starts there are no more than the burst and one for each interval.
    private func judgeRate(of name: LaneName, _ row: LaneRow) {
        guard row.minInterval > 0 else { return }
        let now = store.clock()
        var starts = laneStarts[name] ?? []
        // By the clock as it was stepped back the same times come again.
        if let last = starts.last, last > now { starts = [] }
        if let last = starts.last, now - last < row.minInterval { reached.add(.laneBurst) }
        starts.append(now)
        for (index, start) in starts.enumerated() {
            let count = Int64(starts.count - index)
            if count > row.burst + (now - start) / row.minInterval {
                fail("promise 6: \(count) started in lane \(name.name) within \(now - start) ns")
            }
        }
        laneStarts[name] = starts
    }

    func didEnd(_ job: JobRow, wanted: String, became: String) {
        noteEnd(wanted: wanted, became: became)
        if became == "completed", let subject = job.subject {
            let mine = job.generation ?? 0
            if let before = committed[subject], before >= mine {
                fail("promise 3: generation \(mine) of \(subject.key) came after \(before)")
            }
            committed[subject] = mine
        }
        let fence = job.fence ?? 0
        if wanted == "reclaimed" || wanted == "reclaimed unbegun" {
            judgeCharge(of: job, isCharged: wanted == "reclaimed")
            return judgeReclaim(of: job)
        }
        if store.current != nil { return }  // A commit's own end.
        guard let record = runs[fence] else {
            let isTrue =
                switch wanted {
                case "unbegun", "held": true
                // Its right had ended before it started.
                case "cancelled": job.isEnding
                case "superseded": store.isOutdated(job)
                default: false
                }
            if !isTrue {
                fail("job \(job.id.short) fence \(fence) was reported \(wanted), and never ran")
            }
            return
        }
        if !record.isOver { fail("\(record.name) was reported \(wanted) while it ran") }
        if !record.expectedReports.contains(wanted) {
            fail(
                "promise 7: \(record.name) was reported \(wanted) instead of "
                    + "\(record.expectedReports) (\(String(describing: record.result)), "
                    + "\(String(describing: record.held.right.reason)))")
        }
    }

    private func noteEnd(wanted: String, became: String) {
        switch wanted {
        case "handed_back": reached.add(.handedBack)
        case "held": reached.add(.held)
        case "snoozed": reached.add(.snoozed)
        case "failed" where became == "retryable": reached.add(.retried)
        case "unbegun": reached.add(.unbegun)
        case "reclaimed": reached.add(.reclaimed)
        default: break
        }
    }

    private func judgeReclaim(of job: JobRow) {
        guard let record = runs[job.fence ?? 0], !record.isOver, !record.isCancelled,
            !record.process.isGone, !record.isCommitting,
            !record.process.couldNotAct(within: Self.tick)
        else { return }
        fail("promise 4: \(record.name) was reclaimed and had not been cancelled")
    }

    func didBeat(_ session: Int64) { lastBeats[session] = world.now }

    /// Nobody is declared dead before a whole lease of silence, on the fastest clock allowed.
    func didDeclareDead(_ session: SessionRow) {
        reached.add(.declaredDead)
        if let owner = owners[session.id], !owner.isGone { reached.add(.diedAlive) }
        world.trace.note(world.now, "dead", Int(session.id))
        let silence = world.now - (lastBeats[session.id] ?? 0)
        if silence < lease / 100 * 99 - 1_000_000 {
            fail(
                "promise 4: session \(session.id) was declared dead after "
                    + "\(silence / 1_000_000) ms of silence")
        }
    }

    func didCommit(_ transaction: OpenTransaction) {
        if !transaction.writes.isEmpty, transaction.finished.isEmpty, transaction.held == nil {
            fail("promise 2: transaction \(transaction.number) committed writes without a fence")
        }
        if transaction.finished.count > 1 { reached.add(.committedTogether) }
        for run in transaction.runs where denied.contains(Denial(transaction.number, run)) {
            fail(
                "promise 2: transaction \(transaction.number) committed after its handler was "
                    + "told that it had not")
        }
    }
}
