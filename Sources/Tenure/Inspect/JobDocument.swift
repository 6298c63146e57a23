import FoundationEssentials

/// Everything that is known of a job, for programs.
package struct JobDocument: Encodable, Sendable {
    let job: JobDetail
    let delays: [JobDelay]
    /// Takes what is secret out of a document; nil where none is shown.
    let shows: (@Sendable (String) -> String)?

    package init(
        job: JobDetail, delays: [JobDelay], shows: (@Sendable (String) -> String)?
    ) {
        (self.job, self.delays, self.shows) = (job, delays, shows)
    }

    private func shown(_ text: String?) -> RawJSON? {
        guard let shows else { return nil }
        return text.map { RawJSON(shows($0)) }
    }

    package func encode(to encoder: any Encoder) throws {
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
            "payload": shown(job.shownPayload), "payloadVersion": job.payloadVersion,
            "result": shown(job.result),
            "progress": job.progress, "errors": job.errors, "delays": delays,
        ])
    }
}
