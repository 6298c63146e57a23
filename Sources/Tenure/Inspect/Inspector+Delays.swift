import TenureFoundation
import TenurePostgres

extension Inspector {
    /// What keeps a job from running, by what is known at this moment; empty for a finished one.
    public func delays(of job: JobDetail) async throws -> [JobDelay] {
        switch job.summary.status {
        case .completed, .cancelled, .superseded, .discarded: return []
        case .running: return [try await running(job)]
        case .held:
            return [JobDelay(rule: .held, until: nil, detail: job.reason ?? "can't be read")]
        case .waiting:
            if !job.waits.isEmpty { return Self.waits(of: job) }
            if job.after.open > 0 { return [try await wait(after: job.after)] }
            return [JobDelay(rule: .waiting, until: nil, detail: Self.letGo(job))]
        case .scheduled, .available, .retryable: break
        }
        let waits = job.summary.runAt > Date() ? Self.waits(of: job) : []
        let found =
            try await waits + queueDelays(of: job) + kindDelays(of: job.summary)
            + (waits.isEmpty ? timeDelay(of: job) : []) + laneDelays(of: job)
        if !found.isEmpty { return found }
        return [JobDelay(rule: .turn, until: nil, detail: "due: it starts with the next free slot")]
    }

    private static func waits(of job: JobDetail) -> [JobDelay] {
        job.waits.map { JobDelay(rule: .waiting, until: $0.until, detail: $0.text) }
    }

    /// Of one that waits, and nobody that it waits for is left but perhaps one of its key.
    private static func letGo(_ job: JobDetail) -> String {
        let failed = job.after.jobs.first {
            !$0.goesOn && $0.endedAt != nil && $0.status != .completed
        }
        if let failed {
            let what = failed.key?.text ?? "job \(failed.job)"
            let end = failed.status?.rawValue ?? "gone"
            return "waited for \(what), which is \(end): it is cancelled with that as soon as a "
                + "worker looks, of any queue"
        }
        if job.after.count > 0, job.summary.key == nil {
            return "all that it waited for is over: it goes on as soon as a worker looks, of any "
                + "queue"
        }
        return "waits for another job of its key to let go"
    }

    private func wait(after links: JobLinks) async throws -> JobDelay {
        if let key = links.jobs.first?.key {
            let others = links.open > 1 ? " (and for \(links.open - 1) more)" : ""
            return JobDelay(
                rule: .waiting, until: nil, detail: "waits for a commit of \(key.text)\(others)")
        }
        let open = links.jobs.filter { $0.endedAt == nil && $0.key == nil }.prefix(3).map(\.job)
        let jobs = try await pool.execute(NameJobs(ids: open))
        return JobDelay(
            rule: .waiting, until: nil,
            detail: "waits for \(CountText.of(links.open, "job")) to end", jobs: jobs,
            isMore: links.open > jobs.count)
    }

    private func running(_ job: JobDetail) async throws -> JobDelay {
        let session = try await sessions().first { $0.id == job.session }
        let beat = session.map { ", last beat \($0.sinceBeat.formattedSeconds) s ago" } ?? ""
        let cancelling = job.summary.isCancelling ? "; it has been told to stop" : ""
        return JobDelay(
            rule: .running, until: nil,
            detail: "runs on \(job.worker ?? "a worker that is gone")\(beat)\(cancelling)")
    }

    private func queueDelays(of detail: JobDetail) async throws -> [JobDelay] {
        let job = detail.summary
        let version = detail.payloadVersion
        let queue = try await queue(job.queue, countingTo: 1)
        let crew = try await crew(of: job.queue)
        let found = queue.map(Self.limits) ?? []
        if crew.isEmpty { return found + [Self.noWorker(of: job.queue)] }
        if crew.contains(where: { $0.takes(detail) }) { return found }
        guard crew.contains(where: { $0.kinds.contains(job.kind) }) else {
            return found + [Self.kindUnknown(job.kind, in: job.queue)]
        }
        if crew.contains(where: { $0.reads(job.kind, version) }) {
            let releases = detail.holdVersions.map { "\"\($0)\"" }.joined(separator: ", ")
            return found + [
                JobDelay(
                    rule: .held, until: nil,
                    detail: "each live worker's release has held it before (\(releases)); "
                        + "start one that reads it, or retry it")
            ]
        }
        return found + [
            JobDelay(
                rule: .kindUnknown, until: nil,
                detail: "its payload has version \(version), and no live worker of queue "
                    + "\(job.queue) reads that of \(job.kind)")
        ]
    }

    private func kindDelays(of job: JobSummary) async throws -> [JobDelay] {
        var found = try await pausedKinds().filter { $0.kind == job.kind }.map {
            Self.pause(of: $0.kind, by: $0.by, for: $0.reason)
        }
        if let last = job.notAfter, last <= Date() {
            found.append(
                JobDelay(rule: .expired, until: nil, detail: "it had to begin before \(last)"))
        }
        return found
    }

    private func timeDelay(of job: JobDetail) -> [JobDelay] {
        let summary = job.summary
        guard summary.runAt > Date() else { return [] }
        guard summary.status == .retryable else {
            return [JobDelay(rule: .runTime, until: summary.runAt, detail: "its time lies ahead")]
        }
        let error = job.errors.last.map { ": \($0.message)" } ?? ""
        return [
            JobDelay(
                rule: .backoff, until: summary.runAt,
                detail: "attempt \(summary.attempt) of \(summary.maxAttempts) failed\(error)")
        ]
    }

    private func laneDelays(of job: JobDetail) async throws -> [JobDelay] {
        guard let name = job.lane else { return [] }
        let queue = job.summary.queue
        let lanes = try await pool.ask(ListLanes(queue: queue, names: .one(name), limit: 1))
        guard let lane = lanes.first else { return [] }
        let rules = Self.rules(of: lane)
        guard rules.contains(where: { $0.rule == .laneFull }) else { return rules }
        let running = try await pool.execute(NameJobs(lane: (queue, name)))
        return rules.map {
            guard $0.rule == .laneFull else { return $0 }
            return JobDelay(
                rule: $0.rule, until: $0.until, detail: $0.detail, jobs: running,
                isMore: lane.running > running.count)
        }
    }
}
