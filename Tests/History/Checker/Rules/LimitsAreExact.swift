/// Rule 11: no lane and no queue has more running jobs of live sessions than it may.
enum LimitsAreExact: Rule {
    static let number = 11
    static let title = "limits are exact"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "claims within a lane", "claims within a queue")
        var count = LiveRuns(history)
        for event in Moment.all(history.audit) {
            switch event {
            case .session(let change): count.follow(change)
            case .lane(let change): count.follow(change)
            case .queue(let change): count.follow(change)
            case .job(let change): count.follow(change, &findings)
            }
        }
        return findings
    }
}

/// A change that matters to limits. To count a place as free, a claim must have read that it is:
/// so the order of `seq` is the order of what it saw.
private enum Moment {
    case job(Change<JobRow>)
    case session(Change<SessionRow>)
    case lane(Change<LaneRow>)
    case queue(Change<QueueRow>)

    var seq: Int {
        switch self {
        case .job(let change): change.seq
        case .session(let change): change.seq
        case .lane(let change): change.seq
        case .queue(let change): change.seq
        }
    }

    static func all(_ audit: Audit) -> [Moment] {
        let jobs = audit.jobs.filter { $0.old?.fence != $0.new?.fence }.map(Moment.job)
        let ends = audit.sessions.filter { $0.old?.hasEnded != $0.new?.hasEnded }
        let others =
            ends.map(Moment.session) + audit.lanes.map(Moment.lane)
            + audit.queues.map(Moment.queue)
        return (jobs + others).sorted { $0.seq < $1.seq }
    }
}

/// The running jobs of live sessions, by lane and queue.
private struct LiveRuns {
    private struct Place: Hashable {
        let queue: String
        let lane: String?
    }

    private let settings: [Place: Int]
    private var limits: [Place: Int] = [:]
    private var running: [Place: Set<JobID>] = [:]
    private var bySession: [Int: [JobID: JobRow]] = [:]
    private var dead: Set<Int> = []
    /// The places that a transaction gives back, by transaction: a statement that finishes and
    /// claims is audited in any order.
    private var given: [Int: [Change<JobRow>]] = [:]

    init(_ history: RecordedHistory) {
        settings = Dictionary(
            history.settings.limits.map {
                (Place(queue: $0.queue, lane: $0.lane), $0.maxRunning)
            }, uniquingKeysWith: { first, _ in first })
        for change in history.audit.jobs
        where change.old?.isRunning == true && change.old?.fence != change.new?.fence {
            given[change.xid, default: []].append(change)
        }
    }

    mutating func follow(_ change: Change<LaneRow>) {
        guard let row = change.new else { return }
        limits[Place(queue: row.queue, lane: row.name)] = row.maxRunning
    }

    mutating func follow(_ change: Change<QueueRow>) {
        guard let row = change.new else { return }
        limits[Place(queue: row.name, lane: nil)] = row.maxRunning
    }

    mutating func follow(_ change: Change<SessionRow>) {
        guard let row = change.new, row.hasEnded else { return }
        dead.insert(row.id)
        for job in (bySession[row.id] ?? [:]).values { leave(job) }
        bySession[row.id] = nil
    }

    mutating func follow(_ change: Change<JobRow>, _ findings: inout Findings) {
        if let old = change.old, old.isRunning, let session = old.session {
            leave(old)
            bySession[session]?[old.id] = nil
        }
        guard let new = change.new, new.isRunning, let session = new.session,
            !dead.contains(session)
        else { return }
        bySession[session, default: [:]][new.id] = new
        for place in places(new) {
            running[place, default: []].insert(new.id)
            judge(place, change, &findings)
        }
    }

    private mutating func leave(_ job: JobRow) {
        for place in places(job) { running[place]?.remove(job.id) }
    }

    private func places(_ job: JobRow) -> [Place] {
        let queue = Place(queue: job.queue, lane: nil)
        return job.lane == nil ? [queue] : [queue, Place(queue: job.queue, lane: job.lane)]
    }

    private func judge(_ place: Place, _ claim: Change<JobRow>, _ findings: inout Findings) {
        guard let limit = settings[place] ?? limits[place] else { return }
        findings.judge(place.lane == nil ? 1 : 0)
        guard var jobs = running[place], jobs.count > limit else { return }
        for change in given[claim.xid] ?? [] where change.seq > claim.seq {
            if let old = change.old { jobs.remove(old.id) }
        }
        let name = place.lane.map { "lane \($0) of queue \(place.queue)" } ?? "queue \(place.queue)"
        findings.require(
            jobs.count <= limit, "\(name) has \(jobs.count) running jobs, and may have \(limit)",
            [claim.place])
    }
}
