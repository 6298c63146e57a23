package import Tenure
package import TenureWorker

/// migrations/functions/end and finish: how runs end.
extension SimulatedStore {
    /// What was decided on one run.
    struct Decision {
        var became: String
        var refund = false
        var reason: String?
        var delay: Int64 = 0
        var result: String?
        var errorCode: String?
        var holdVersion: String?
    }

    static let maxRefunds = 1000

    /// One run's report, or its reclaim.
    struct Ending {
        let run: RunRef
        let wanted: String
        var delay: Int64 = 0
        var result: String?
        var reason: String?
        var errorCode: String?
        var holdVersion: String?
        var isReclaim = false

        init(_ ending: RunEnding) {
            run = ending.run
            wanted = ending.wanted.rawValue
            delay = (ending.delay ?? .zero).wholeNanoseconds
            result = ending.result
            reason = ending.reason
            errorCode = ending.errorCode
            holdVersion = ending.holdVersion
        }

        init(_ run: RunRef, _ wanted: String) {
            self.run = run
            self.wanted = wanted
        }
    }

    func decide(_ job: JobRow, _ ending: Ending) -> Decision {
        let wanted = ending.wanted
        var decision = Decision(became: "available", delay: ending.delay)
        decision.result = ending.result
        decision.reason = ending.reason
        if ["failed", "reclaimed", "discarded"].contains(wanted) {
            decision.errorCode = ending.errorCode
        }
        let gives = wanted != "completed" && wanted != "discarded"
        let pending = ending.delay > 0 ? "scheduled" : "available"
        if job.isEnding || wanted == "cancelled" {
            decision.became = "cancelled"
            decision.refund = true
            decision.reason = job.endingBy ?? ending.reason
        } else if isOutdated(job) || wanted == "superseded" {
            decision.became = "superseded"
            decision.refund = true
        } else if gives, hasNewer(job) {
            decision.became = "superseded"
            decision.refund = true
        } else if wanted == "completed" || wanted == "discarded" {
            decision.became = wanted
        } else if wanted == "unbegun" {
            decision.refund = true
        } else if wanted == "waits" {
            decision.became = "waiting"
            decision.refund = true
        } else if wanted == "held" {
            decision.became = "held"
            decision.refund = true
            decision.holdVersion = ending.holdVersion
        } else if ["snoozed", "handed_back"].contains(wanted), job.refunds < Self.maxRefunds {
            decision.became = pending
            decision.refund = true
        } else if job.attempt >= job.maxAttempts {
            decision.became = "discarded"
        } else {
            decision.became = wanted == "failed" ? "retryable" : pending
        }
        return decision
    }

    private func hasNewer(_ job: JobRow) -> Bool {
        guard let subject = job.subject, let mine = job.generation else { return false }
        return indices(of: subject).contains {
            jobs[$0].state != .running && (jobs[$0].generation ?? 0) > mine
        }
    }

    // MARK: end_runs, complete_group

    package func end(_ endings: [RunEnding]) -> [RunRef: EndAnswer] {
        let answers = end(endings.map { Ending($0) }).map { ($0.0, EndAnswer(text: $0.1)) }
        return Dictionary(answers, uniquingKeysWith: { first, _ in first })
    }

    /// Waits for no lock.
    func end(_ endings: [Ending]) -> [(RunRef, String)] {
        var decisions: [(Ending, Decision)] = []
        var answers: [(RunRef, String)] = []
        for ending in endings {
            guard let index = index(ending.run) else {
                // By the job's key, whoever's run it is: a locked key is busy, a gone fence late.
                let isBusy = self.index(ending.run.job).map { isKeyLocked(jobs[$0]) } ?? false
                answers.append((ending.run, isBusy ? "busy" : "late"))
                continue
            }
            if isLocked(jobs[index]) {
                answers.append((ending.run, "busy"))
            } else {
                let decision = decide(jobs[index], ending)
                decisions.append((ending, decision))
                answers.append((ending.run, decision.became))
            }
        }
        apply(decisions)
        return answers
    }

    func apply(_ decisions: [(Ending, Decision)]) {
        var touched: [SubjectName] = []
        for (ending, decision) in decisions {
            guard let index = index(ending.run) else { continue }
            if let subject = jobs[index].subject, !touched.contains(subject) {
                touched.append(subject)
            }
            apply(decision, at: index, ending)
        }
        for subject in touched { releaseSuccessors(of: subject) }
    }

    private func apply(_ decision: Decision, at index: Int, _ ending: Ending) {
        let job = jobs[index]
        let isGivenBack = ending.isReclaim && ending.wanted == "unbegun"
        watcher?.didEnd(
            job, wanted: isGivenBack ? "reclaimed unbegun" : ending.wanted,
            became: decision.became)
        let wasToStop = decision.became == "cancelled" || decision.became == "superseded"
        if let code = decision.errorCode, !wasToStop {
            errors.append(
                AttemptError(job: job.id, fence: job.fence ?? 0, attempt: job.attempt, code: code))
        }
        if decision.became == "completed", let subject = job.subject {
            let mine = job.generation ?? 0
            change(subject) { row in
                row.issued = max(row.issued, mine)
                row.committed = max(row.committed, mine)
            }
        }
        guard let state = JobRow.State(rawValue: decision.became) else {
            return retire(
                at: index, decision.became, refund: decision.refund, result: decision.result,
                reason: decision.reason, isUnbegun: ending.wanted == "unbegun")
        }
        change(index) { job in
            job.state = state
            job.fence = nil
            job.session = nil
            job.runAt = clock() + decision.delay
            if decision.refund {
                job.attempt -= 1
                if state != .held, state != .waiting, ending.wanted != "unbegun" {
                    job.refunds += 1
                }
            }
            job.holdReason = state == .held ? decision.reason : nil
            if state == .held, let release = decision.holdVersion,
                !job.holdVersions.contains(release)
            {
                job.holdVersions.append(release)
            }
        }
    }

    private func releaseSuccessors(of subject: SubjectName) {
        if hasRunning(subject) { return }
        let now = clock()
        for index in indices(of: subject)
        where jobs[index].state == .waiting && jobs[index].waitsForKey {
            change(index) { job in
                job.waitsForKey = false
                job.runAt = max(job.runAt, now)
                job.state =
                    job.waitsForJobs ? .waiting : job.runAt > now ? .scheduled : .available
            }
        }
    }

    package func complete(_ runs: [RunRef]) -> [JobID] {
        var left: [JobID] = []
        for run in runs {
            guard let index = index(run), !jobs[index].isEnding, jobs[index].key == nil,
                !isLocked(.job(run.job))
            else {
                left.append(run.job)
                continue
            }
            watcher?.didEnd(jobs[index], wanted: "completed", became: "completed")
            retire(at: index, "completed")
        }
        return left
    }

    // MARK: reclaim

    package func reclaimRuns() -> [ReclaimedRun] {
        var reclaimed: [ReclaimedRun] = []
        for session in sessions where session.isOver && !session.isReclaimed {
            for job in jobs where job.session == session.id && !isLocked(job) {
                let run = RunRef(job: job.id, fence: Fence(job.fence ?? 0))
                var ending = Ending(run, session.hasBegun(job) ? "reclaimed" : "unbegun")
                ending.errorCode = "worker_died"
                ending.isReclaim = true
                let became = end([ending])[0].1
                reclaimed.append(
                    ReclaimedRun(
                        job: job.id, became: RunOutcome(text: became), kind: job.kind,
                        queue: job.queue))
            }
            if !jobs.contains(where: { $0.session == session.id }) {
                sessions[Int(session.id) - 1].isReclaimed = true
            }
        }
        return reclaimed
    }

    // MARK: finish, hold_run

    /// Decides on a commit's run, under its locks.
    func checkFinish(_ run: RunRef, _ ending: Ending) throws {
        guard let index = index(run) else {
            throw StoreRefusal(sqlState: "TN001", detail: "late")
        }
        let became = decide(jobs[index], ending).became
        let isLate =
            became == "cancelled" && ending.wanted != "cancelled"
            || became == "superseded" && ending.wanted != "superseded" && isOutdated(jobs[index])
        if isLate { throw StoreRefusal(sqlState: "TN001", detail: became) }
    }

    /// `finish` in a transaction of its own.
    package func finish(
        _ run: RunRef, _ outcome: JobOutcome, followUps: [NewJob]
    ) throws {
        let ending = Ending(run, outcome)
        try checkFinish(run, ending)
        apply([(ending, decide(jobs[index(run) ?? 0], ending))])
        if !followUps.isEmpty { _ = try enqueue(followUps) }
    }

    /// The same for the runs of a chunk: each of those that are late is named.
    func checkFinish(_ ends: [RunToEnd]) throws {
        let late = ends.compactMap { end -> String? in
            do {
                try checkFinish(end.ref, Ending(end.ref, end.outcome))
                return nil
            } catch let refusal as StoreRefusal {
                return "\"\(end.ref.job)\": \"\(refusal.detail ?? "late")\""
            } catch {
                return nil
            }
        }
        if late.isEmpty { return }
        throw StoreRefusal(sqlState: "TN001", detail: "{\(late.sorted().joined(separator: ", "))}")
    }

    /// `finish_chunk` in a transaction of its own.
    package func finish(_ ends: [RunToEnd], followUps: [NewJob]) throws {
        try checkFinish(ends)
        let endings = ends.map { Ending($0.ref, $0.outcome) }
        apply(endings.map { ($0, decide(jobs[index($0.run) ?? 0], $0)) })
        if !followUps.isEmpty { _ = try enqueue(followUps) }
    }

    package func checkHold(_ run: RunRef) throws {
        guard let index = index(run), !jobs[index].isEnding, !isOutdated(jobs[index]) else {
            throw StoreRefusal(sqlState: "TN001", detail: "late")
        }
    }

    /// What the run's rows say of its end.
    package func find(_ run: RunRef) -> RunRows {
        if index(run) != nil { return .held }
        let mine = run.fence.rawValue
        if errors.contains(where: {
            $0.job == run.job && $0.fence == mine && $0.code == "worker_died"
        }) {
            return .reclaimed
        }
        let past = history.filter { $0.job.id == run.job }
        if let ended = past.first(where: { $0.job.fence == mine }) {
            return ended.isUnbegun ? .reclaimed : .ended(as: RunOutcome(text: ended.outcome))
        }
        guard let index = index(run.job) else {
            return past.isEmpty ? .unkept : .putBack(as: .job(.available))
        }
        let job = jobs[index]
        return .putBack(
            as: job.fence == nil ? RunOutcome(text: job.state.rawValue) : .job(.available))
    }
}

extension SimulatedStore.Ending {
    init(_ run: RunRef, _ outcome: JobOutcome) {
        self.init(run, "\(outcome.expected)")
        switch outcome.way {
        case .snoozed(let pause): delay = pause.wholeNanoseconds
        case .discarded(let why): reason = why
        case .completed(let json): result = json
        case .committed, .moved, .retried: break
        }
    }
}
