import Content
import FoundationEssentials
import Tenure

/// A URL's story for programs.
struct ExplainOutput: Encodable {
    let url: String
    let known: Bool
    @OrNull var item: Item?
    @OrNull var target: Target?
    let events: [Event]
    let jobs: [Job]
    @OrNull var host: HostOutput?
    @OrNull var hostHoldUntil: Date?
    let robots: RobotsAnswer

    struct Target: Encodable {
        let state: TargetState
        @OrNull var code: String?
        @OrNull var status: Int?
        let failures: Int
        @OrNull var checkedAt: Date?
        @OrNull var firstBrokenAt: Date?
        @OrNull var lastOkAt: Date?
        @OrNull var redirectsTo: String?
    }

    struct Event: Encodable {
        let at: Date
        let before: String
        let after: String
        @OrNull var code: String?
    }

    struct Job: Encodable {
        let id: String
        let kind: String
        let state: JobStatus
        let queue: String
        @OrNull var lane: String?
        let attempt: Int
        let maxAttempts: Int
        @OrNull var reason: String?
        @OrNull var finishedAt: Date?
        let delays: [Delay]
        @OrNull var nextTry: Date?
    }

    struct Delay: Encodable {
        let rule: JobDelay.Rule
        let detail: String
        @OrNull var until: Date?
    }

    init(_ found: Explanation) {
        url = found.url
        known = found.isKnown
        item = found.item
        target = found.target.map {
            Target(
                state: $0.state, code: $0.code, status: $0.status, failures: $0.failures,
                checkedAt: $0.checkedAt, firstBrokenAt: $0.firstBrokenAt, lastOkAt: $0.lastOkAt,
                redirectsTo: $0.next)
        }
        events = found.events.map {
            Event(at: $0.at, before: $0.before, after: $0.after, code: $0.code)
        }
        jobs = found.jobs.map(Job.init)
        host = found.host.map(HostOutput.init)
        hostHoldUntil = found.hostHoldUntil
        robots = found.robots
    }
}

extension ExplainOutput.Job {
    fileprivate init(_ explained: ExplainedJob) {
        let job = explained.job
        self.init(
            id: "\(job.summary.id)", kind: job.summary.kind.rawValue, state: job.summary.status,
            queue: job.summary.queue.rawValue, lane: job.lane, attempt: job.summary.attempt,
            maxAttempts: job.summary.maxAttempts, reason: job.reason,
            finishedAt: job.summary.finishedAt,
            delays: explained.delays.map {
                ExplainOutput.Delay(rule: $0.rule, detail: $0.detail, until: $0.until)
            }, nextTry: explained.delays.nextTry)
    }
}
