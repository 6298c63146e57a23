/// One unit of work: the type *is* the payload, and says how its jobs want to be run.
///
/// A job type is shared by producers, who enqueue values of it, and workers, who register a
/// handler for it (`JobRegistry.handle` in `TenureWorker`). It is stored as JSON under its
/// ``kind``: rename the type freely, but never the kind.
///
/// Both requirements have to be there, and what ``JobOptions`` takes is refused by the compiler
/// where it stands beside them: nothing that a type declares is passed over.
public protocol Job: Codable, Sendable, JobBesideOptions
where
    QueueBesideOptions: BelongsInOptions, PriorityBesideOptions: BelongsInOptions,
    RetryBesideOptions: BelongsInOptions, MaxAttemptsBesideOptions: BelongsInOptions,
    TimeoutBesideOptions: BelongsInOptions, KeyBesideOptions: BelongsInOptions,
    LaneBesideOptions: BelongsInOptions, NotAfterBesideOptions: BelongsInOptions,
    DeadLetterBesideOptions: BelongsInOptions, SecretFieldsBesideOptions: BelongsInOptions,
    KeyFunctionBesideOptions: BelongsInOptions, LaneFunctionBesideOptions: BelongsInOptions,
    NotAfterFunctionBesideOptions: BelongsInOptions,
    PayloadVersionBesideOptions: BelongsInOptions, UpgradeBesideOptions: BelongsInOptions
{
    /// The stable name of this type of job, 1 to 128 characters, such as `send-invoice`.
    static var kind: JobKind { get }
    /// How its jobs want to be run: `JobOptions<Self>()` where the defaults do.
    static var options: JobOptions<Self> { get }
}
