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
        let session: Int64?
        let code: String
        let message: String
    }

    let id: JobID
    let kind: String
    let state: String
    let cancelling: Bool
    let reason: String?
    let queue: String
    let lane: String?
    let key: String?
    let generation: Int64?
    let subject: Subject?
    let priority: Int16
    let attempt: Int
    let maxAttempts: Int
    let runs: Int
    let session: Int64?
    let worker: String?
    let fence: Int64?
    let createdAt: Date
    let runAt: Date
    let notAfter: Date?
    let claimedAt: Date?
    let cancelledAt: Date?
    let finishedAt: Date?
    let supersededBy: JobID?
    let retryOf: JobID?
    let run: String?
    let parent: JobID?
    let trace: String?
    let payload: RawJSON
    let payloadVersion: Int16
    let result: RawJSON?
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
        createdAt = summary.createdAt
        runAt = summary.runAt
        notAfter = job.notAfter
        claimedAt = summary.claimedAt
        cancelledAt = job.endingAt
        finishedAt = summary.finishedAt
        supersededBy = job.supersededBy
        retryOf = job.retryOf
        run = job.run?.uuidString.lowercased()
        parent = job.parent
        trace = job.trace
        payload = RawJSON(job.payload)
        payloadVersion = job.payloadVersion
        result = job.result.map(RawJSON.init)
        errors = job.errors.map {
            AttemptError(
                attempt: $0.attempt, failedAt: $0.failedAt, fence: $0.fence.rawValue,
                session: $0.session?.rawValue, code: $0.code, message: $0.message)
        }
    }
}
