package import Tenure
package import TenureWorker

/// Whom a job waits for.
package struct EdgeRow {
    package let needs: JobID
    /// However that one ends; else it has to be completed.
    package let goesOn: Bool
}

/// migrations/functions/waits: jobs that wait for other jobs.
extension SimulatedStore {
    /// Whom an enqueue's jobs need can't be ended meanwhile.
    func check(locksOfNeeds news: [NewJob]) throws {
        for need in news.flatMap(\.edges).map(\.needs) {
            if let index = index(need), let subject = jobs[index].subject {
                try wait(for: .subject(subject))
            }
            try wait(for: .job(need))
        }
    }

    /// Writes whom new jobs wait for. Those that have nobody left to wait for are let go at once,
    /// and cancelled where somebody was not completed.
    func enterLinks(of news: [NewJob], _ answers: [Enqueued?]) {
        for (new, answer) in zip(news, answers) where answer?.result == "enqueued" {
            if new.edges.isEmpty { continue }
            edges[new.id] = new.edges
            for need in new.edges.map(\.needs) {
                waiters[need, default: []].insert(new.id)
                if let index = index(need) {
                    if !jobs[index].hasWaiters { change(index) { $0.hasWaiters = true } }
                } else if ends[need] == nil {
                    let past = history.last { $0.job.id == need }
                    ends[need] = past?.outcome ?? "discarded"
                }
            }
            guard let index = index(new.id) else { continue }
            if hasFailed(new.id) {
                cancel(waiter: index)
            } else {
                _ = letGo(index)
            }
        }
    }

    /// `settle_ends`, of whatever is not settled.
    package func settleEnds() -> SettledEnds {
        var answer = SettledEnds()
        var busy: Set<JobID> = []
        while let id = unsettled.subtracting(busy).min(by: { $0.isBefore($1) }),
            let outcome = ends[id]
        {
            var isBusy = false
            for waiter in waiters[id, default: []].sorted(by: { $0.isBefore($1) }) {
                guard let edge = edges[waiter]?.first(where: { $0.needs == id }),
                    let index = index(waiter), isWaiting(jobs[index])
                else { continue }
                let fails = !edge.goesOn && outcome != "completed"
                if !fails, hasOpen(waiter), flaw != .letsGoEarly { continue }
                if isLocked(jobs[index]) {
                    isBusy = true
                } else if fails {
                    answer.cancelled.append(waiter)
                    cancel(waiter: index)
                } else if letGo(index) {
                    answer.released[jobs[index].queue, default: []].append(waiter)
                }
            }
            if isBusy {
                busy.insert(id)
                answer.isToBeAskedAgain = true
            } else {
                unsettled.remove(id)
            }
        }
        return answer
    }

    /// Its pending job that waited for one that was not completed makes way for an enqueue.
    func clearDoomed(of subject: SubjectName) {
        for id in visible(of: subject).map(\.id) {
            if let index = index(id), isWaiting(jobs[index]), hasFailed(id) {
                cancel(waiter: index)
            }
        }
    }

    private func isWaiting(_ job: JobRow) -> Bool { job.state == .waiting && job.waitsForJobs }

    private func cancel(waiter index: Int) {
        retire(at: index, "cancelled", reason: Self.after)
    }

    private func hasOpen(_ id: JobID) -> Bool {
        edges[id]?.contains { ends[$0.needs] == nil } ?? false
    }

    package func hasFailed(_ id: JobID) -> Bool {
        edges[id]?.contains { edge in
            !edge.goesOn && ends[edge.needs].map { $0 != "completed" } ?? false
        } ?? false
    }

    /// How the reason of one begins that is cancelled for another's end.
    static let after = "after:"

    private func letGo(_ index: Int) -> Bool {
        let id = jobs[index].id
        if hasOpen(id) && flaw != .letsGoEarly || hasFailed(id) { return false }
        let now = clock()
        change(index) { job in
            job.waitsForJobs = false
            job.runAt = max(job.runAt, now)
            job.state = job.waitsForKey ? .waiting : job.runAt > now ? .scheduled : .available
        }
        return true
    }
}

extension NewJob {
    var edges: [EdgeRow] {
        options.after.compactMap { predecessor in
            switch predecessor.condition {
            case .completed(let job): EdgeRow(needs: job, goesOn: false)
            case .ended(let job): EdgeRow(needs: job, goesOn: true)
            case .key: nil
            }
        }
    }
}
