/// Types of jobs by the names of their kinds, for programs that are given both as text: a command
/// line, a form, a file of jobs.
///
/// ```swift
/// let kinds = JobKinds(SendInvoice.self, Remind.self)
/// try await client.enqueue([kinds.job(kind: "remind", payload: #"{"invoice":7}"#)])
/// ```
public struct JobKinds: Sendable {
    private var drafts: [JobKind: @Sendable (JobDraft) throws -> NewJob] = [:]

    public init<each J: Job>(_ types: repeat (each J).Type) {
        for type in repeat each types { add(type) }
    }

    /// A second type of the same kind replaces the first.
    public mutating func add<J: Job>(_ type: J.Type) {
        drafts[J.kind] = { try $0.job(of: type) }
    }

    /// These kinds, and others.
    public mutating func add(_ others: JobKinds) {
        drafts.merge(others.drafts) { _, new in new }
    }

    /// A job by the name of its kind. What is left out is as its type's ``Job/options`` say, as
    /// for values of the type: its queue, key, lane and expiry, its version, its attempts.
    /// - Parameter payload: JSON text.
    /// - Throws: `TenureError` with `.invalidJob`, also for a payload that the type can't read. One
    ///   of a newer version than this program knows has no key, lane or expiry but those that are
    ///   given; a kind that isn't known here is taken as it is.
    public func job(
        kind: JobKind, payload: String, payloadVersion: Int16? = nil, _ mode: KeyMode? = nil,
        options: EnqueueOptions = EnqueueOptions(), id: JobID? = nil
    ) throws -> NewJob {
        let draft = JobDraft(
            kind: kind, payload: payload, payloadVersion: payloadVersion, mode: mode,
            options: options, id: id)
        return try drafts[kind]?(draft) ?? draft.job()
    }
}
