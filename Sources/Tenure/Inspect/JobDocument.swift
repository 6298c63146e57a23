import TenureFoundation

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

    /// Without what the payload's type calls secret, wherever that stands.
    private func veiled(_ text: String?) -> RawJSON? {
        shown(
            text.map {
                SealedJSON.isSealed($0) ? SealedJSON.shown($0) : job.secretFields.masked($0)
            })
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
            "letter": job.letter, "tags": job.tags,
            "batch": job.batch?.uuidString.lowercased(), "parent": job.parent, "trace": job.trace,
            "payload": shown(job.shownPayload), "payloadVersion": job.payloadVersion,
            "result": shown(job.shownResult),
            "progress": job.progress, "errors": job.errors, "delays": delays,
            "steps": job.steps.map { StepDocument(step: $0, result: veiled($0.result)) },
            "waits": job.waits, "after": job.after, "waiters": job.waiters,
            "log": shows.map { shows in
                job.log.map { LogDocument(line: $0, message: shows($0.message)) }
            } ?? [],
            "signals": job.signals.map { SignalDocument(signal: $0, payload: veiled($0.payload)) },
        ])
    }
}

private struct StepDocument: Encodable {
    let step: JobStep
    let result: RawJSON?

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "name": step.name, "way": step.way, "fence": step.fence.rawValue, "type": step.type,
            "result": result, "tookSeconds": step.took?.inSeconds, "doneAt": step.doneAt,
        ])
    }
}

private struct SignalDocument: Encodable {
    let signal: JobSignal
    let payload: RawJSON?

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": signal.id.uuidString.lowercased(), "name": signal.name, "payload": payload,
            "sentAt": signal.sentAt, "sentBy": signal.sentBy,
        ])
    }
}

extension JobWait: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "step": step, "signal": signal, "until": until, "since": since,
        ])
    }
}
