package import Tenure

/// migrations/functions/enqueue: jobs in.
extension SimulatedStore {
    package struct Enqueued {
        package let id: JobID
        package let generation: Int64?
        /// `enqueued`, `updated` or `kept`.
        package let result: String
    }

    /// One answer for each job, in order.
    package func enqueue(_ news: [NewJob], retryOf: JobID? = nil) throws -> [Enqueued] {
        try check(locksOf: news)
        try check(locksOfNeeds: news)
        var answers = [Enqueued?](repeating: nil, count: news.count)
        var turns: [SubjectName: Int] = [:]
        var byTurn: [[(place: Int, job: NewJob)]] = []
        for (place, job) in news.enumerated() {
            guard let subject = job.subject else { continue }
            let turn = turns[subject, default: 0]
            turns[subject] = turn + 1
            if byTurn.count <= turn { byTurn.append([]) }
            byTurn[turn].append((place, job))
        }
        for turn in byTurn {
            for (place, answer) in enqueueTurn(turn, retryOf) { answers[place] = answer }
        }
        for (place, job) in news.enumerated() where job.mode == nil {
            insert(row(of: job, generation: nil, retryOf))
            answers[place] = Enqueued(id: job.id, generation: nil, result: "enqueued")
        }
        enterLinks(of: news, answers)
        for job in news { makeLane(of: job) }
        return answers.compactMap(\.self)
    }

    /// The subjects, and the jobs of superseded and updated keys.
    private func check(locksOf news: [NewJob]) throws {
        for job in news {
            if let subject = job.subject { try wait(for: .subject(subject)) }
        }
    }

    private func enqueueTurn(
        _ news: [(place: Int, job: NewJob)], _ retryOf: JobID?
    ) -> [(Int, Enqueued)] {
        var generations: [Int: Int64] = [:]
        let sorted = news.compactMap { new in new.job.subject.map { (new, $0) } }
            .sorted { $0.1.isBefore($1.1) }
        for (new, subject) in sorted {
            generations[new.place] = issue(subject, raises: new.job.mode?.way == .superseding)
        }
        for (new, subject) in sorted where new.job.mode?.way == .superseding {
            retirePending(of: subject, for: new.job.id)
        }
        var answers: [(Int, Enqueued)] = []
        for (new, subject) in sorted {
            let generation = generations[new.place]
            if let answer = meet(new.job, subject, generation) {
                answers.append((new.place, answer))
            } else {
                insert(row(of: new.job, generation: generation, retryOf))
                answers.append(
                    (
                        new.place,
                        Enqueued(id: new.job.id, generation: generation, result: "enqueued")
                    ))
            }
        }
        return answers
    }

    private func issue(_ subject: SubjectName, raises: Bool) -> Int64 {
        let number = nextGeneration()
        change(subject) { row in
            row.issued = number
            if raises { row.floor = number }
        }
        return number
    }

    private func retirePending(of subject: SubjectName, for successor: JobID) {
        while let index = pending(of: subject) {
            retire(
                at: index, "superseded", reason: "superseded before it ran", by: successor)
        }
    }

    /// The job that is there already, for those modes that look for one.
    private func meet(
        _ new: NewJob, _ subject: SubjectName, _ generation: Int64?
    ) -> Enqueued? {
        if new.mode?.way != .superseding { clearDoomed(of: subject) }
        switch new.mode?.way {
        case .coalescing, .debounced:
            guard let index = pending(of: subject) else { return nil }
            update(index, new, generation)
            return Enqueued(id: jobs[index].id, generation: generation, result: "updated")
        case .keeping:
            let floor = subjects[subject]?.floor ?? 0
            let kept = visible(of: subject)
                .filter { ($0.generation ?? 0) >= floor && !$0.isEnding }
                .max { ($0.generation ?? 0) < ($1.generation ?? 0) }
            return kept.map { Enqueued(id: $0.id, generation: $0.generation, result: "kept") }
        case .superseding, nil: return nil
        }
    }

    private func update(_ index: Int, _ new: NewJob, _ generation: Int64?) {
        let now = clock()
        var due = runTime(of: new)
        if new.mode?.way == .debounced, let wait = new.mode?.maxWait {
            due = min(due, jobs[index].createdAt + wait.wholeNanoseconds)
        }
        change(index) { job in
            job.payload = new.payload
            job.payloadVersion = new.payloadVersion
            job.generation = generation
            job.runAt = due
            job.priority = new.priority
            job.attempt = 0
            job.holdReason = nil
            job.holdVersions = []
            if job.state != .waiting || !(job.waitsForKey || job.waitsForJobs) {
                job.state = due > now ? .scheduled : .available
            }
        }
    }

    private func runTime(of new: NewJob) -> Int64 {
        let interval = new.mode?.interval
        switch new.options.runTime.moment {
        case .now: return clock() + (interval ?? .zero).wholeNanoseconds
        case .after(let delay):
            return clock() + max(delay, interval ?? .zero).wholeNanoseconds
        case .at(let date): return SimulatedStore.time(date)
        }
    }

    private func row(of new: NewJob, generation: Int64?, _ retryOf: JobID?) -> JobRow {
        let now = clock()
        var due = runTime(of: new)
        if new.mode?.way == .debounced, let wait = new.mode?.maxWait {
            due = min(due, now + wait.wholeNanoseconds)
        }
        var isBlocked = false
        if let mode = new.mode, let subject = new.subject {
            let waits = mode.way == .coalescing || mode.way == .debounced || !mode.overlap
            isBlocked = waits && visible(of: subject).contains { $0.state == .running }
        }
        var row = JobRow(
            id: new.id, kind: new.kind, queue: new.queue, key: new.mode?.key,
            generation: generation, payload: new.payload, payloadVersion: new.payloadVersion,
            priority: new.priority, runAt: due, createdAt: now,
            state: isBlocked || !new.edges.isEmpty ? .waiting : due > now ? .scheduled : .available,
            maxAttempts: new.maxAttempts)
        row.waitsForKey = isBlocked
        row.waitsForJobs = !new.edges.isEmpty
        row.lane = new.options.lane?.name
        row.retryOf = retryOf
        return row
    }

    private func makeLane(of new: NewJob) {
        guard let lane = new.options.lane, let name = new.lane else { return }
        if lanes[name] == nil {
            lanes[name] = LaneRow(
                maxRunning: lane.maxRunning, minInterval: lane.minInterval.wholeNanoseconds,
                burst: Int64(lane.burst), weight: lane.weight, isStrict: lane.order == .strict,
                nextAt: .min, turnAt: clock())
        }
    }
}

extension NewJob {
    var subject: SubjectName? { mode.map { SubjectName(kind: kind, key: $0.key) } }
    var lane: LaneName? { options.lane.map { LaneName(queue: queue, name: $0.name) } }
}
