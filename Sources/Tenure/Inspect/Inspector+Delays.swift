import FoundationEssentials
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
            let what = job.subject == nil ? "other jobs" : "another job of its key to let go"
            return [JobDelay(rule: .waiting, until: nil, detail: "waits for \(what)")]
        case .scheduled, .available, .retryable: break
        }
        let found =
            try await queueDelays(of: job.summary) + kindDelays(of: job.summary)
            + timeDelay(of: job) + laneDelays(of: job)
        if !found.isEmpty { return found }
        return [JobDelay(rule: .turn, until: nil, detail: "due: it starts with the next free slot")]
    }

    private func running(_ job: JobDetail) async throws -> JobDelay {
        let session = try await sessions().first { $0.id == job.session }
        let beat = session.map { ", last beat \($0.sinceBeat.formattedSeconds) s ago" } ?? ""
        let cancelling = job.summary.isCancelling ? "; it has been told to stop" : ""
        return JobDelay(
            rule: .running, until: nil,
            detail: "runs on \(job.worker ?? "a worker that is gone")\(beat)\(cancelling)")
    }

    private func queueDelays(of job: JobSummary) async throws -> [JobDelay] {
        var found: [JobDelay] = []
        if let queue = try await queues().first(where: { $0.name == job.queue }) {
            if queue.pausedAt != nil {
                let whom = queue.pausedBy.map { " by \($0)" } ?? ""
                found.append(
                    JobDelay(
                        rule: .queuePaused, until: nil,
                        detail: "queue \(job.queue) is paused\(whom)"))
            }
            if let most = queue.maxRunning, queue.running >= most {
                found.append(
                    JobDelay(
                        rule: .queueFull, until: nil,
                        detail: "queue \(job.queue) runs \(queue.running) of \(most) jobs"))
            }
        }
        let crew = try await sessions().filter {
            $0.endedAt == nil && $0.queues.contains(job.queue)
        }
        if crew.isEmpty {
            found.append(
                JobDelay(
                    rule: .noWorker, until: nil,
                    detail: "no live worker subscribes to queue \(job.queue)"))
        } else if !crew.contains(where: { $0.kinds.contains(job.kind) }) {
            found.append(
                JobDelay(
                    rule: .kindUnknown, until: nil,
                    detail: "no live worker of queue \(job.queue) runs \(job.kind)"))
        }
        return found
    }

    private func kindDelays(of job: JobSummary) async throws -> [JobDelay] {
        var found: [JobDelay] = []
        if let paused = try await pausedKinds().first(where: { $0.kind == job.kind }) {
            let whom = paused.by.map { " by \($0)" } ?? ""
            let reason = paused.reason.map { ": \($0)" } ?? ""
            found.append(
                JobDelay(
                    rule: .kindPaused, until: nil,
                    detail: "kind \(job.kind) is paused\(whom)\(reason)"))
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
        let lane = try await pool.ask(
            ListLanes(
                queue: job.summary.queue, prefix: "", name: name, onlyBusy: false, limit: 1)
        ).first
        guard let lane else { return [] }
        var found: [JobDelay] = []
        if let until = lane.heldUntil {
            let whom = lane.heldBy.map { " by \($0)" } ?? ""
            let reason = lane.holdReason.map { ": \($0)" } ?? ""
            found.append(
                JobDelay(
                    rule: .laneOnHold, until: until,
                    detail: "lane \(name) is on hold\(whom)\(reason)"))
        }
        if let until = lane.opensAt, let pause = lane.minInterval {
            found.append(
                JobDelay(
                    rule: .laneInterval, until: until,
                    detail: "lane \(name) starts a job every \(pause.formattedSeconds) s"))
        }
        if let most = lane.maxRunning, lane.running >= most {
            found.append(
                JobDelay(
                    rule: .laneFull, until: nil,
                    detail: "lane \(name) runs \(lane.running) of \(most) jobs"))
        }
        return found
    }
}

extension Duration {
    /// `0.25`, `30`.
    fileprivate var formattedSeconds: String {
        let hundredths = (self / .milliseconds(10)).rounded() / 100
        return hundredths == hundredths.rounded() ? String(Int(hundredths)) : String(hundredths)
    }
}
