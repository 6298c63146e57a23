public import Tenure

/// What happened to a run of a worker's, for programs that report, count or show it.
public enum JobEvent: Sendable {
    /// The worker has it; no handler has begun. `started` follows, or, where it is given back or
    /// held, an end without a time; or `late`, where it has lost its place before.
    case claimed(JobRun)
    case started(JobRun)
    /// The run has lost its right to go on: its tasks are cancelled. `.superseded`, `.cancelled`,
    /// `.leaseExpired` and their like are told here, the moment the worker knows.
    case stopping(JobRun, EndReason)
    /// Its handler has let go, and the database has taken its end.
    case ended(JobRun, JobRunEnd)
    /// Whatever its handler came to counts for nothing, and none of its writes is there: another
    /// run, or a newer job of its key, has its place. Told once, and the last of a run, but where
    /// its job was still its own to end: that end follows.
    case late(JobRun)
    /// Its handler has ignored its cancellation for so long; told again as the time grows.
    case stuck(JobRun, since: Duration, EndReason)
    /// So many events are left out here, because more came than the observer took.
    case missed(Int)
}

/// A run, as events name it.
public struct JobRun: Sendable, Hashable {
    public let job: JobID
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    public let generation: Generation?
    /// This run's number: larger than that of every earlier run of the job.
    public let fence: Fence
    /// 1 for the first run that counts.
    public let attempt: Int
    /// From due to claimed, by the database's clock.
    public let waited: Duration

    init(_ run: RunInfo) {
        job = run.job
        kind = run.kind
        queue = run.queue
        key = run.key
        generation = run.generation
        fence = run.fence
        attempt = run.attempt
        waited = run.waited
    }
}

/// How a run ended.
public struct JobRunEnd: Sendable {
    /// Where the job stands now: `.completed`, `.retryable` after a failure with attempts left,
    /// `.discarded` after the last one, and so on. Nil where a commit put it off, whose time
    /// nobody has asked for, and where the database would not take the end.
    public let status: JobStatus?
    /// What the handler threw, itself, if that was a failure; nil where it did not fail. No
    /// cancellation is ever here: one that the run was asked for is no failure, and one that
    /// nobody asked for is replaced by an error that says so. Where its text
    /// repeats a secret field of the payload it is replaced by one whose text does not; a run that
    /// took longer than its timeout, or that is held, has an error that says so.
    public let error: (any Error)?
    /// From its handler's start to its return; nil where none has begun. A payload that can't be
    /// read is found behind the start.
    public let took: Duration?
}
