// docs/decisions/job-options.md

/// What a type of job may not declare beside its ``Job/options``, because nobody would read it.
///
/// A static member of one of these names makes the type of its value a witness here, whatever that
/// type is, and ``Job`` takes only those that conform to ``BelongsInOptions``: so the compiler
/// refuses it, with that name in its message.
public protocol JobBesideOptions {
    associatedtype QueueBesideOptions
    associatedtype PriorityBesideOptions
    associatedtype RetryBesideOptions
    associatedtype MaxAttemptsBesideOptions
    associatedtype TimeoutBesideOptions
    associatedtype KeyBesideOptions
    associatedtype LaneBesideOptions
    associatedtype NotAfterBesideOptions
    associatedtype DeadLetterBesideOptions
    associatedtype SecretFieldsBesideOptions
    associatedtype PayloadVersionBesideOptions
    associatedtype KeyFunctionBesideOptions
    associatedtype LaneFunctionBesideOptions
    associatedtype NotAfterFunctionBesideOptions
    associatedtype UpgradeBesideOptions
    associatedtype UpgradeVersion
    associatedtype UpgradeResult

    static var queue: QueueBesideOptions { get }
    static var priority: PriorityBesideOptions { get }
    static var retry: RetryBesideOptions { get }
    static var maxAttempts: MaxAttemptsBesideOptions { get }
    static var timeout: TimeoutBesideOptions { get }
    static var key: KeyBesideOptions { get }
    static var lane: LaneBesideOptions { get }
    static var notAfter: NotAfterBesideOptions { get }
    static var deadLetter: DeadLetterBesideOptions { get }
    static var secretFields: SecretFieldsBesideOptions { get }
    static var payloadVersion: PayloadVersionBesideOptions { get }
    static func key(_ job: Self) -> KeyFunctionBesideOptions
    static func lane(_ job: Self) -> LaneFunctionBesideOptions
    static func notAfter(_ job: Self) -> NotAfterFunctionBesideOptions
    static func upgrade(
        _ payload: UpgradeBesideOptions, from version: UpgradeVersion
    ) throws -> UpgradeResult
}

/// Write this into the job's `options`: beside them it would do nothing.
public protocol BelongsInOptions {}

/// What a job's type has not declared beside its options, as it should be.
public struct NotBesideOptions: Sendable, BelongsInOptions {}

extension JobBesideOptions {
    public static var queue: NotBesideOptions { NotBesideOptions() }
    public static var priority: NotBesideOptions { NotBesideOptions() }
    public static var retry: NotBesideOptions { NotBesideOptions() }
    public static var maxAttempts: NotBesideOptions { NotBesideOptions() }
    public static var timeout: NotBesideOptions { NotBesideOptions() }
    public static var key: NotBesideOptions { NotBesideOptions() }
    public static var lane: NotBesideOptions { NotBesideOptions() }
    public static var notAfter: NotBesideOptions { NotBesideOptions() }
    public static var deadLetter: NotBesideOptions { NotBesideOptions() }
    public static var secretFields: NotBesideOptions { NotBesideOptions() }
    public static var payloadVersion: NotBesideOptions { NotBesideOptions() }
    public static func key(_ job: Self) -> NotBesideOptions { NotBesideOptions() }
    public static func lane(_ job: Self) -> NotBesideOptions { NotBesideOptions() }
    public static func notAfter(_ job: Self) -> NotBesideOptions { NotBesideOptions() }
    public static func upgrade(
        _ payload: NotBesideOptions, from version: NotBesideOptions
    ) -> NotBesideOptions { payload }
}
