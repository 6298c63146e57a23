public import FoundationEssentials

/// One unit of work: the type *is* the payload, and says how its jobs want to be run.
///
/// A job type is shared by producers, who enqueue values of it, and workers, who register a
/// handler for it (`JobRegistry.handle` in `TenureWorker`). It is stored as JSON under its
/// ``kind``: rename the type freely, but never the kind.
public protocol Job: Codable, Sendable {
    /// The stable name of this type of job, 1 to 128 characters, such as `send-invoice`.
    static var kind: JobKind { get }
    /// The queue its jobs join unless the enqueue says otherwise. Default: `default`.
    static var queue: QueueName { get }
    /// How often, and after what pauses, a failed job is tried again.
    /// Default: 25 attempts, n⁴ seconds apart with 10 % jitter, at most a day.
    static var retry: RetryPolicy { get }
    /// How long one run of the handler may take on the worker's clock. A run that takes longer
    /// is cancelled and counts as failed. Default: none, and a warning after an hour.
    static var timeout: Duration? { get }
    /// Lower runs first, 0 to 9. Default: 5.
    static var priority: JobPriority { get }
    /// The form of the payloads that this release writes: a larger number with every change that
    /// the one before could not read. A worker holds the job of a newer form, until one that reads
    /// it has started. Default: 1.
    static var payloadVersion: Int16 { get }
    /// Makes a value of a payload that an earlier release wrote: `version` is smaller than
    /// ``payloadVersion``. Called on the handler's task before the handler; when it throws, the job
    /// is held. Default: the payload is decoded as it is.
    static func upgrade(_ payload: Data, from version: Int16) throws -> Self
    /// The payload's fields that nobody is to be shown: their names as in its JSON, `card.number`
    /// for one inside another, in lists too. Default: none.
    ///
    /// What shows a job shows a mask instead, and the text of an error, a reason or a note in which
    /// a run repeats such a value has a mask there. The database holds the value, and whoever may
    /// read the table `job` can read it: a reference to a vault is safer.
    static var secretFields: Set<String> { get }
}

extension Job {
    public static var queue: QueueName { .default }
    public static var retry: RetryPolicy { .standard }
    public static var timeout: Duration? { nil }
    public static var priority: JobPriority { .normal }
    public static var payloadVersion: Int16 { 1 }
    public static var secretFields: Set<String> { [] }
    public static func upgrade(_ payload: Data, from version: Int16) throws -> Self {
        try JSONDecoder().decode(Self.self, from: payload)
    }
}
