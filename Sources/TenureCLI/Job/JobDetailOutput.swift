import Content
import FoundationEssentials
import Tenure

/// A job's story for programs.
struct JobDetailOutput: Encodable {
    struct Subject: Encodable {
        let issued: Int64
        let floor: Int64
        let committed: Int64
    }

    struct AttemptError: Encodable {
        let attempt: Int
        let failedAt: Date
        let fence: Int64
        @OrNull var session: Int64?
        @OrNull var worker: String?
        let code: String
        let message: String
    }

    struct Progress: Encodable {
        let done: Int64
        @OrNull var total: Int64?
        @OrNull var rate: Double?
        @OrNull var note: String?
        let fence: Int64
        let reportedAt: Date

        init(_ reported: ReportedProgress) {
            done = reported.progress.done
            total = reported.progress.total
            rate = reported.progress.rate
            note = reported.progress.note
            fence = reported.fence.rawValue
            reportedAt = reported.reportedAt
        }
    }

    let id: JobID
    let kind: String
    let state: String
    let cancelling: Bool
    @OrNull var reason: String?
    let queue: String
    @OrNull var lane: String?
    @OrNull var key: String?
    @OrNull var generation: Int64?
    @OrNull var subject: Subject?
    let priority: Int16
    let attempt: Int
    let maxAttempts: Int
    let runs: Int
    @OrNull var session: Int64?
    @OrNull var worker: String?
    @OrNull var fence: Int64?
    @OrNull var leaseSeconds: Double?
    @OrNull var sinceBeatSeconds: Double?
    let createdAt: Date
    let runAt: Date
    @OrNull var notAfter: Date?
    @OrNull var claimedAt: Date?
    @OrNull var cancelledAt: Date?
    @OrNull var finishedAt: Date?
    @OrNull var supersededBy: JobID?
    @OrNull var retryOf: JobID?
    @OrNull var retriedAs: JobID?
    @OrNull var batch: String?
    @OrNull var parent: JobID?
    @OrNull var trace: String?
    let payload: RawJSON
    let payloadVersion: Int16
    @OrNull var result: RawJSON?
    @OrNull var progress: Progress?
    let errors: [AttemptError]

    init(_ job: JobDetail) {
        let summary = job.summary
        id = summary.id
        kind = summary.kind.rawValue
        state = summary.status.rawValue
        cancelling = summary.isCancelling
        reason = job.reason
        queue = summary.queue.rawValue
        lane = job.lane
        key = summary.key
        generation = summary.generation?.rawValue
        subject = job.subject.map {
            Subject(
                issued: $0.issued.rawValue, floor: $0.floor.rawValue,
                committed: $0.committed.rawValue)
        }
        priority = summary.priority
        attempt = summary.attempt
        maxAttempts = summary.maxAttempts
        runs = job.runs
        session = job.session?.rawValue
        worker = job.worker
        fence = job.fence?.rawValue
        leaseSeconds = job.lease.map { $0 / .seconds(1) }
        sinceBeatSeconds = job.sinceBeat.map { $0 / .seconds(1) }
        createdAt = summary.createdAt
        runAt = summary.runAt
        notAfter = summary.notAfter
        claimedAt = summary.claimedAt
        cancelledAt = job.endingAt
        finishedAt = summary.finishedAt
        supersededBy = job.supersededBy
        retryOf = job.retryOf
        retriedAs = summary.retriedAs
        batch = job.batch?.uuidString.lowercased()
        parent = job.parent
        trace = job.trace
        payload = RawJSON(URLRedaction.text(job.shownPayload))
        payloadVersion = job.payloadVersion
        result = job.result.map(RawJSON.init)
        progress = job.progress.map(Progress.init)
        errors = job.errors.map {
            AttemptError(
                attempt: $0.attempt, failedAt: $0.failedAt, fence: $0.fence.rawValue,
                session: $0.session?.rawValue, worker: $0.worker, code: $0.code, message: $0.message
            )
        }
    }
}
