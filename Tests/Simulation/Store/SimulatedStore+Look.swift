package import Tenure
import TenureFoundation
package import TenureWorker

/// migrations/functions/session and claim: who looks, and beats.
extension SimulatedStore {
    package func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition? = nil,
        release: String
    ) -> DueTime {
        let now = clock()
        if queues[queue]?.isPaused ?? false { return DueTime(dueIn: nil, isGuarded: false) }
        let pending = jobs.filter { $0.queue == queue && $0.state.isClaimable }
        let isGuarded =
            queues[queue]?.maxRunning != nil
            || pending.contains { job in
                guard let name = job.lane else { return false }
                guard position != nil else { return true }
                return kinds.reads(job.kind, job.payloadVersion)
                    && lanes[LaneName(queue: queue, name: name)]?.isBehind(job) ?? false
            }
        var due = pending.filter {
            $0.lane == nil && kinds.reads($0.kind, $0.payloadVersion) && isPast($0, position)
                && !$0.holdVersions.contains(release)
        }.map(\.runAt).min()
        for (name, lane) in lanes where isGuarded && name.queue == queue {
            let head = pending.filter {
                $0.lane == name.name && (position == nil || lane.isBehind($0))
            }.min {
                $0.priority != $1.priority ? $0.priority < $1.priority : $0.isBefore($1)
            }
            let opensAt = lane.isShut(at: now) ? lane.nextAt : .min
            guard let head, max(opensAt, head.runAt) > now else { continue }
            due = min(due ?? .max, max(opensAt, head.runAt))
        }
        return DueTime(dueIn: due.map { .nanoseconds($0 - now) }, isGuarded: isGuarded)
    }

    package func verdict(of run: RunRef) -> Verdict? {
        guard let index = index(run) else { return .lost }
        if jobs[index].isEnding { return .cancelled(by: jobs[index].endingBy ?? "operator") }
        guard let subject = jobs[index].subject, let row = subjects[subject],
            let mine = jobs[index].generation, row.floor > mine
        else { return nil }
        return .superseded(by: Generation(row.floor))
    }

    package func beat(
        _ id: Int64, runs: [RunRef], unknownSince: Fence
    ) -> [BeatLine] {
        var lines: [BeatLine] = []
        if let session = session(id), !session.isOver {
            sessions[Int(id) - 1].beat += 1
            watcher?.didBeat(id)
            lines.append(.renewed(beat: session.beat + 1))
        }
        for run in runs {
            if let verdict = verdict(of: run) { lines.append(.verdict(run.job, verdict)) }
        }
        for job in jobs where job.session == id {
            guard let fence = job.fence, fence >= unknownSince.rawValue,
                !runs.contains(where: { $0.job == job.id })
            else { continue }
            lines.append(.unknown(RunRef(job: job.id, fence: Fence(fence))))
        }
        lines.append(.clock(microseconds: clock() / 1000, steps: clockSteps))
        for other in sessions where other.id != id && !other.isReclaimed {
            let name = SessionID(other.id)
            lines.append(
                other.isOver ? .dead(name) : .peer(name, beat: other.beat, lease: other.lease))
        }
        return lines
    }

    // MARK: Time as Foundation has it

    private static let epoch = Date(timeIntervalSince1970: 1_700_000_000)

    static func date(_ time: Int64) -> Date {
        epoch.addingTimeInterval(Double(time) / 1_000_000_000)
    }

    static func time(_ date: Date) -> Int64 {
        // To the microsecond, as PostgreSQL keeps it.
        Int64((date.timeIntervalSince(epoch) * 1_000_000).rounded()) * 1000
    }
}
