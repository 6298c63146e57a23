import Content
import FoundationEssentials
import Tenure

/// A job, and what keeps it from running; without what its type calls secret, and without the
/// secrets of URLs.
struct JobReport: Report {
    let job: JobDetail
    /// Empty for a finished job.
    let delays: [JobDelay]

    var text: String { JobStory.text(self) }

    func encode(to encoder: any Encoder) throws {
        let summary = job.summary
        try encoder.write([
            "id": summary.id, "kind": summary.kind, "state": summary.status,
            "cancelling": summary.isCancelling, "reason": job.reason, "queue": summary.queue,
            "lane": job.lane, "key": summary.key, "generation": summary.generation?.rawValue,
            "subject": job.subject, "priority": summary.priority, "attempt": summary.attempt,
            "maxAttempts": summary.maxAttempts, "runs": job.runs,
            "session": job.session?.rawValue, "worker": job.worker, "fence": job.fence?.rawValue,
            "leaseSeconds": job.lease?.inSeconds, "sinceBeatSeconds": job.sinceBeat?.inSeconds,
            "createdAt": summary.createdAt, "runAt": summary.runAt, "notAfter": summary.notAfter,
            "claimedAt": summary.claimedAt, "cancelledAt": job.endingAt,
            "finishedAt": summary.finishedAt, "supersededBy": job.supersededBy,
            "retryOf": job.retryOf, "retriedAs": summary.retriedAs,
            "batch": job.batch?.uuidString.lowercased(), "parent": job.parent, "trace": job.trace,
            "payload": RawJSON(URLRedaction.text(job.shownPayload)),
            "payloadVersion": job.payloadVersion, "result": job.result.map(RawJSON.init),
            "progress": job.progress, "errors": job.errors, "delays": delays,
        ])
    }
}

extension JobDelay {
    /// For people, one line.
    var line: String { detail + (until.map { ", until \(TimeText.full($0))" } ?? "") }
}
