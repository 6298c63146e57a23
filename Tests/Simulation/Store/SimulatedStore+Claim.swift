import Tenure
package import TenureWorker

/// migrations/functions/session and claim: sessions and claims.
extension SimulatedStore {
    package func openSession(
        lease: Duration, release: String = "0", saysBegun: Bool = false
    ) -> Int64 {
        var session = SessionRow(
            id: Int64(sessions.count + 1), lease: lease, release: release)
        if saysBegun { session.begun = [:] }
        sessions.append(session)
        return Int64(sessions.count)
    }

    func session(_ id: Int64) -> SessionRow? {
        sessions.indices.contains(Int(id) - 1) ? sessions[Int(id) - 1] : nil
    }

    package func closeSession(_ id: Int64) -> Bool {
        guard let session = session(id), !session.isOver else { return false }
        sessions[Int(id) - 1].isOver = true
        return true
    }

    package func declareDead(_ id: Int64, watchedBeat: Int64) -> Bool {
        guard let session = session(id), !session.isOver, session.beat == watchedBeat else {
            return false
        }
        sessions[Int(id) - 1].isOver = true
        sessions[Int(id) - 1].hasDied = true
        watcher?.didDeclareDead(sessions[Int(id) - 1])
        return true
    }

    /// The newest counts, in whatever order they come.
    package func note(_ note: BegunNote) -> Bool {
        let id = note.session.rawValue
        guard let session = session(id), !session.isOver else { return false }
        if (session.begun?[note.queue]?.number ?? 0) < note.number {
            sessions[Int(id) - 1].begun?[note.queue] = (note.number, note.fences)
        }
        return true
    }

    // MARK: The claim

    package func claim(_ request: ClaimRequest) throws -> [ClaimedJob] {
        guard let session = session(request.session.rawValue), !session.isOver else {
            throw StoreRefusal(sqlState: "TN002")
        }
        var wanted = request.wanted
        let queue = queues[request.queue]
        if queue?.isPaused ?? false { return [] }
        var holders: [RunRef] = []
        if let queue, let most = queue.maxRunning {
            holders = queue.holders.filter { index($0) != nil }
            wanted = min(wanted, most - holders.count)
        }
        if wanted <= 0 { return [] }
        let due = clock()
        let free = request.wanted - request.ahead
        var taken = take(pick(request, wanted, free: free, due: due), session.id)
        wanted = min(wanted, free) - taken.count
        if wanted > 0 { taken += claimLanes(request, wanted, due: due) }
        if queue?.maxRunning != nil, !taken.isEmpty {
            queues[request.queue]?.holders = holders + taken.map(\.ref)
        }
        return taken
    }

    private func take(_ ids: [JobID], _ session: Int64) -> [ClaimedJob] {
        ids.compactMap { id in
            guard let index = index(id) else { return nil }
            change(index) { job in
                job.state = .running
                job.session = session
                job.fence = nextFence()
                job.attempt += 1
                job.runs += 1
            }
            watcher?.didClaim(jobs[index], session: session)
            return ClaimedJob(jobs[index])
        }
    }

    /// Ahead of the free slots the line ends before a job on its last attempt.
    private func pick(
        _ request: ClaimRequest, _ wanted: Int, free: Int, due: Int64
    ) -> [JobID] {
        let found = jobs.filter { job in
            job.queue == request.queue && job.state.isClaimable && job.lane == nil
                && job.runAt <= due && mayTake(job, request)
                && isPast(job, request.position) && !isLocked(.job(job.id))
        }
        let sorted = found.sorted {
            $0.priority != $1.priority ? $0.priority < $1.priority : $0.isBefore($1)
        }
        let line = sorted.prefix(wanted)
        let last = line.indices.first {
            $0 >= free && line[$0].attempt + 1 >= line[$0].maxAttempts
        }
        return line[..<(last ?? line.endIndex)].map(\.id)
    }

    /// It reads the payload, and its release has not held it before.
    private func mayTake(_ job: JobRow, _ request: ClaimRequest) -> Bool {
        let release = session(request.session.rawValue)?.release ?? ""
        return request.kinds.reads(job.kind, job.payloadVersion)
            && !job.holdVersions.contains(release)
    }

    func isPast(_ job: JobRow, _ position: ClaimPosition?) -> Bool {
        guard let position else { return true }
        let level = Int(job.priority)
        guard let from = position.runTimes[level] else { return true }
        let time = SimulatedStore.time(from)
        if job.runAt != time { return job.runAt > time }
        guard let id = position.ids[level] else { return true }
        return JobID(id).isBefore(job.id)
    }

    // MARK: Lanes

    /// What a lane gets at most before the others had their turn.
    private static let turnMost = 4

    private func claimLanes(
        _ request: ClaimRequest, _ wanted: Int, due: Int64
    ) -> [ClaimedJob] {
        var wanted = wanted
        var taken: [ClaimedJob] = []
        var line = openLanes(request, due: due)
        // A lane that is alone in line waits for nobody's turn.
        var share = wanted > Self.turnMost && line.count > 1 ? Self.turnMost : wanted
        for pass in 1...3 {
            var more: [LaneName] = []
            for name in line where wanted > 0 {
                let jobs = take(
                    pick(name, share, wanted, request, due: due), request.session.rawValue)
                if jobs.isEmpty { continue }
                hold(name.name, request.queue, jobs, share)
                wanted -= jobs.count
                taken += jobs
                if jobs.count >= share, let lane = lanes[name],
                    lane.minInterval == 0 || lane.burst > 1
                {
                    more.append(name)
                }
            }
            if wanted <= 0 || more.isEmpty { break }
            // Once all had their share, those that used it up may have more, by their weights.
            line = more
            let eager = more.reduce(0) { $0 + (lanes[$1]?.weight ?? 0) }
            share = pass == 1 ? (wanted + eager - 1) / eager : wanted
        }
        return taken
    }

    private func pick(
        _ name: LaneName, _ share: Int, _ wanted: Int, _ request: ClaimRequest, due: Int64
    ) -> [JobID] {
        guard let lane = lanes[name], !lane.isShut(at: clock()) else { return [] }
        if lane.isStrict { return next(in: name, lane, request, due: due) }
        var most = min(lane.maxRunning - running(lane).count, wanted)
        most = min(
            most, lane.minInterval > 0 ? share : share * (lane.weight - lane.turns))
        if lane.minInterval > 0 { most = min(most, lane.room(at: clock())) }
        return pending(of: name, request, due: due)
            .filter { request.position == nil || lane.isBehind($0) }
            .filter { !isLocked(.job($0.id)) }.prefix(max(0, most)).map(\.id)
    }

    /// In strict order: who has begun and isn't over, or else the first, whatever it is.
    private func next(
        in name: LaneName, _ lane: LaneRow, _ request: ClaimRequest, due: Int64
    ) -> [JobID] {
        guard running(lane).isEmpty else { return [] }
        let first = jobs.filter {
            $0.queue == name.queue && $0.lane == name.name && $0.state.isClaimable
                && $0.runAt <= due
        }.min {
            $0.priority != $1.priority ? $0.priority < $1.priority : $0.isBefore($1)
        }
        guard let job = begun(in: name) ?? first, job.state.isClaimable, job.runAt <= due,
            mayTake(job, request), !isLocked(.job(job.id))
        else { return [] }
        return [job.id]
    }

    /// Who has begun in a lane and isn't over: in strict order nobody passes him.
    package func begun(in name: LaneName) -> JobRow? {
        guard let lane = lanes[name] else { return nil }
        return jobs.first { job in
            job.queue == name.queue && job.lane == name.name
                && lane.holders.contains { $0.job == job.id }
        }
    }

    /// In line. Whoever slept was called, and comes into the line with the claim.
    private func openLanes(
        _ request: ClaimRequest, due: Int64
    ) -> [LaneName] {
        var found: [(name: LaneName, turn: Int64)] = []
        for (name, lane) in lanes where name.queue == request.queue && !lane.isShut(at: due) {
            let hasWork = pending(of: name, request, due: due).contains {
                request.position == nil || lane.isBehind($0)
            }
            guard hasWork, running(lane).count < (lane.isStrict ? 1 : lane.maxRunning)
            else { continue }
            found.append((name, min(lane.turnAt, due)))
        }
        return found.sorted {
            $0.turn != $1.turn ? $0.turn < $1.turn : $0.name.name < $1.name.name
        }.map(\.name)
    }

    private func pending(of lane: LaneName, _ request: ClaimRequest, due: Int64) -> [JobRow] {
        jobs.filter {
            $0.queue == lane.queue && $0.lane == lane.name && $0.state.isClaimable
                && $0.runAt <= due && mayTake($0, request)
        }.sorted { $0.priority != $1.priority ? $0.priority < $1.priority : $0.isBefore($1) }
    }

    func running(_ lane: LaneRow) -> [RunRef] { lane.holders.filter { index($0) != nil } }

    private func hold(
        _ lane: String, _ queue: QueueName, _ jobs: [ClaimedJob], _ share: Int
    ) {
        let name = LaneName(queue: queue, name: lane)
        guard var row = lanes[name] else { return }
        row.holders = running(row) + jobs.filter { $0.lane == lane }.map(\.ref)
        row.start(jobs.count { $0.lane == lane }, of: share, at: clock())
        // In line, and so the last of them last.
        if let last = jobs.last(where: { $0.lane == lane }), let index = index(last.ref) {
            row.past = self.jobs[index]
        }
        lanes[name] = row
    }
}

extension ClaimedJob {
    init(_ job: JobRow) {
        self.init(
            run: RunInfo(
                job: job.id, kind: job.kind, queue: job.queue, key: job.key,
                generation: job.generation.map { Generation($0) }, fence: Fence(job.fence ?? 0),
                attempt: job.attempt),
            payload: job.payload, payloadVersion: job.payloadVersion, priority: job.priority,
            runAt: SimulatedStore.date(job.runAt), maxAttempts: job.maxAttempts, runs: job.runs,
            lane: job.lane, createdAt: SimulatedStore.date(job.createdAt))
    }
}
