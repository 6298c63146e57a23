/// A job whose kind and payload are text.
struct JobDraft: Sendable {
    let kind: JobKind
    let payload: String
    let payloadVersion: Int16?
    let mode: KeyMode?
    var options: EnqueueOptions
    let id: JobID?

    /// As it is, for a kind that nobody here knows.
    func job() throws -> NewJob {
        try NewJob(
            kind: kind, payload: payload, payloadVersion: payloadVersion ?? 1, mode,
            queue: options.queue ?? .default, priority: options.priority ?? .normal,
            maxAttempts: options.maxAttempts ?? RetryPolicy.standard.maxAttempts, options: options,
            id: id)
    }

    /// With what its type says of its jobs.
    func job<J: Job>(of type: J.Type) throws -> NewJob {
        let own = J.options
        let version = payloadVersion ?? own.payloadVersion
        // Nobody here can read it: what depends on its content is the enqueue's to say.
        if version > own.payloadVersion { return try filled(from: own).job() }
        // First, because what it says of a text that is no JSON is clearer than a decoder's.
        try PayloadCheck.check(payload)
        let job: J
        do {
            job = try J.read(payload, version: version, own)
        } catch {
            throw TenureError(.invalidJob, PayloadMismatch.text(error), cause: error)
        }
        return try NewJob(
            job, payload: payload, version: version, mode, options: options, id: id)
    }

    private func filled<J>(from own: JobOptions<J>) -> JobDraft {
        var draft = self
        draft.options.queue = options.queue ?? own.queue
        draft.options.priority = options.priority ?? own.priority
        draft.options.maxAttempts = options.maxAttempts ?? own.retry.maxAttempts
        return draft
    }
}
