import TenurePostgres

extension Inspector {
    /// Of how many lanes it is said that they hold jobs back.
    private static let shownLanes = 5

    /// What keeps the due jobs of a queue from running, by what is known at this moment; empty
    /// where none is due, and where they start with the next free slots.
    public func delays(
        of queue: QueueStatus, countingTo most: Int? = nil
    ) async throws -> [JobDelay] {
        guard queue.due > 0 else { return [] }
        let kinds = try await kinds(of: queue.name, countingTo: most)
        return try await delays(of: queue, kinds, looksAtAllLanes: most == nil)
    }

    /// - Parameters:
    ///   - kinds: what its jobs do, by kind.
    ///   - looksAtAllLanes: as many as there are; otherwise at those that may be shut.
    package func delays(
        of queue: QueueStatus, _ kinds: [QueueKind], looksAtAllLanes: Bool
    ) async throws -> [JobDelay] {
        guard queue.due > 0 else { return [] }
        var found = Self.limits(of: queue)
        let crew = try await crew(of: queue.name)
        if crew.isEmpty { found.append(Self.noWorker(of: queue.name)) }
        let paused = try await pausedKinds()
        for kind in kinds where kind.due > 0 {
            if !crew.isEmpty, !crew.contains(where: { $0.kinds.contains(kind.kind) }) {
                found.append(Self.kindUnknown(kind.kind, in: queue.name))
            }
            found += paused.filter { $0.kind == kind.kind }.map {
                Self.pause(of: $0.kind, by: $0.by, for: $0.reason)
            }
        }
        return found + (try await laneDelays(in: queue.name, looksAtAllLanes))
    }

    private func laneDelays(
        in queue: QueueName, _ looksAtAllLanes: Bool
    ) async throws -> [JobDelay] {
        let busy =
            looksAtAllLanes
            ? try await pool.execute(
                ListLanes(queue: queue, names: .prefix(""), onlyBusy: true, limit: 1000))
            : try await pool.execute(ListShutLanes(queue: queue, limit: 20))
        let shut = busy.filter { $0.due > 0 }.map(Self.rules).filter { !$0.isEmpty }
        let more = shut.count - Self.shownLanes
        guard more > 0 else { return shut.flatMap { $0 } }
        return shut.prefix(Self.shownLanes).flatMap { $0 } + [
            JobDelay(
                rule: .laneFull, until: nil,
                detail: "\(more) more lanes let nothing start; see them with: tenure lane list "
                    + "--queue \(queue) --busy")
        ]
    }

    /// The live sessions that subscribe to it.
    func crew(of queue: QueueName) async throws -> [SessionStatus] {
        try await sessions(of: queue).filter { $0.endedAt == nil }
    }

    static func limits(of queue: QueueStatus) -> [JobDelay] {
        var found: [JobDelay] = []
        if queue.pausedAt != nil {
            let whom = queue.pausedBy.map { " by \($0)" } ?? ""
            found.append(
                JobDelay(
                    rule: .queuePaused, until: nil, detail: "queue \(queue.name) is paused\(whom)"))
        }
        if let most = queue.maxRunning, queue.running + queue.claimed >= most {
            found.append(
                JobDelay(
                    rule: .queueFull, until: nil,
                    detail: "queue \(queue.name) runs \(queue.running + queue.claimed) of \(most) "
                        + "jobs"))
        }
        if let until = queue.opensAt, let pause = queue.minInterval {
            found.append(
                JobDelay(
                    rule: .queueRate, until: until,
                    detail: "queue \(queue.name) "
                        + Self.pace(pause, burst: queue.burst)))
        }
        return found
    }

    private static func pace(_ pause: Duration, burst: Int?) -> String {
        "starts a job every \(pause.formattedSeconds) s"
            + (burst.map { $0 > 1 ? ", and \($0) at once" : "" } ?? "")
    }

    static func noWorker(of queue: QueueName) -> JobDelay {
        JobDelay(
            rule: .noWorker, until: nil, detail: "no live worker subscribes to queue \(queue)")
    }

    static func kindUnknown(_ kind: JobKind, in queue: QueueName) -> JobDelay {
        JobDelay(
            rule: .kindUnknown, until: nil, detail: "no live worker of queue \(queue) runs \(kind)")
    }

    static func pause(of kind: JobKind, by whom: String?, for reason: String?) -> JobDelay {
        let whom = whom.map { " by \($0)" } ?? ""
        let reason = reason.map { ": \($0)" } ?? ""
        return JobDelay(
            rule: .kindPaused, until: nil, detail: "kind \(kind) is paused\(whom)\(reason)")
    }

    /// What keeps a lane from starting a job.
    static func rules(of lane: LaneStatus) -> [JobDelay] {
        var found: [JobDelay] = []
        if let until = lane.heldUntil {
            let whom = lane.heldBy.map { " by \($0)" } ?? ""
            let reason = lane.holdReason.map { ": \($0)" } ?? ""
            found.append(
                JobDelay(
                    rule: .laneOnHold, until: until,
                    detail: "lane \(lane.name) is on hold\(whom)\(reason)"))
        }
        if let until = lane.opensAt, let pause = lane.minInterval {
            found.append(
                JobDelay(
                    rule: .laneInterval, until: until,
                    detail: "lane \(lane.name) " + Self.pace(pause, burst: lane.burst)))
        }
        if let job = lane.behind {
            found.append(
                JobDelay(
                    rule: .laneOrder, until: nil,
                    detail: "lane \(lane.name) is in strict order, and job \(job) has begun and "
                        + "isn't over; see it with: tenure job show \(job)"))
        } else if lane.order == .strict, lane.running > 0 {
            found.append(
                JobDelay(
                    rule: .laneOrder, until: nil,
                    detail: "lane \(lane.name) is in strict order, and a job of it runs"))
        } else if let most = lane.maxRunning, lane.running >= most {
            found.append(
                JobDelay(
                    rule: .laneFull, until: nil,
                    detail: "lane \(lane.name) runs \(lane.running) of \(most) jobs"))
        }
        return found
    }
}

extension Duration {
    /// `0.25`, `30`.
    var formattedSeconds: String {
        let hundredths = (self / .milliseconds(10)).rounded() / 100
        return hundredths == hundredths.rounded() ? String(Int(hundredths)) : String(hundredths)
    }
}
