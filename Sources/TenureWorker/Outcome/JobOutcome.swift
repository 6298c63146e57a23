public import Tenure
import TenurePostgres

/// How a handler's run ended, as a value. A thrown error means: try again later.
public struct JobOutcome: Sendable {
    package enum Way: Sendable {
        case completed(result: String?)
        case snoozed(Duration)
        /// Goes on in another lane, with another payload.
        indirect case moved(NewJob)
        case discarded(reason: String)
        case retried(Duration, reason: String)
        /// A transaction of that run's has written it already.
        case committed(became: RunOutcome, by: RunRef)
    }
    package let way: Way
    /// The lane that waits, too.
    package var hold: LaneHold?
    /// What its run has logged, where that is kept, as JSON.
    var log: String?

    /// Done; nothing to write beside.
    public static let completed = JobOutcome(way: .completed(result: nil))

    /// Done, with a result that `job show` and waiters can read.
    /// - Throws: `TenureError` with `.invalidJob`, when the result doesn't encode or breaks a
    ///   payload's limits.
    public static func completed(result: some Encodable) throws -> JobOutcome {
        JobOutcome(way: .completed(result: try ResultJSON.encode(result)))
    }

    /// Not yet: run again after a pause. Costs no attempt (a thousand times at most).
    /// - Parameter pause: zero or more; with less the run has failed.
    public static func snooze(for pause: Duration) -> JobOutcome {
        JobOutcome(way: .snoozed(pause))
    }

    /// Not yet, and no other job of a lane either: the job is put off and the lane put on hold in
    /// one commit, so that no job of the lane starts in between. A host that says when to come
    /// back is one lane.
    public static func snooze(for pause: Duration, holding lane: LaneHold) -> JobOutcome {
        JobOutcome(way: .snoozed(pause), hold: lane)
    }

    /// Failed, and to be tried again after a pause that the handler chooses, in place of its
    /// kind's policy: a server has said when to come back. It costs an attempt, as a thrown error
    /// does, and after the last one the job is discarded. To be returned: a commit ends a job for
    /// good, and writes that are to stay belong into a `checkpoint` before.
    /// - Parameters:
    ///   - pause: zero or more; with less it is as its kind's policy has it.
    ///   - reason: what went wrong, for operators.
    public static func retry(after pause: Duration, reason: String) -> JobOutcome {
        JobOutcome(way: .retried(pause, reason: reason))
    }

    /// Never: the job is of no use any more, and no retry would change that.
    public static func discard(reason: String) -> JobOutcome {
        JobOutcome(way: .discarded(reason: reason))
    }

    func logging(_ log: String?) -> JobOutcome {
        var outcome = self
        outcome.log = log
        return outcome
    }

    /// Done, without a result.
    var isPlain: Bool { if case .completed(nil) = way { true } else { false } }

    /// The job goes on later, or elsewhere.
    package var isPutOff: Bool {
        switch way {
        case .snoozed, .moved: true
        case .completed, .discarded, .retried, .committed: false
        }
    }

    /// What it would have made of a job that its handler's commit has ended.
    var contradiction: String? {
        switch way {
        case .completed(result: nil), .committed: nil
        case .completed: "a result"
        case .snoozed, .moved: "that the job goes on"
        case .discarded(let reason): "that it is discarded: \(reason)"
        case .retried(_, let reason): "that it is tried again: \(reason)"
        }
    }

    /// What it makes of the job, where nothing comes between.
    package var expected: RunOutcome {
        switch way {
        case .completed: .job(.completed)
        case .snoozed, .moved: .snoozed
        case .discarded: .job(.discarded)
        case .retried: .job(.retryable)
        case .committed(let became, _): became
        }
    }

    /// A pause that can't be: a job would run again and again, as fast as it can.
    var wrongPause: TenureError? {
        let (name, pause): (String, Duration) =
            switch way {
            case .snoozed(let pause): ("snooze(for:", pause)
            case .retried(let pause, _): ("retry(after:", pause)
            case .completed, .moved, .discarded, .committed: ("", .zero)
            }
        if pause >= .zero { return nil }
        return TenureError(
            .misuse, "the handler returned \(name) \(pause)); give a pause of zero or more")
    }

    /// What a commit with it asks of the database.
    func wanted() throws -> RunEnding.Wanted {
        if let wrongPause { throw wrongPause }
        return switch way {
        case .completed: .completed
        case .snoozed, .moved: .snoozed
        case .discarded: .discarded
        case .retried:
            throw TenureError(
                .misuse,
                "a commit can't ask for a retry: write with context.checkpoint, then return "
                    + ".retry(after:reason:)")
        case .committed: throw PostgresError(.misuse, "a commit can't hold another commit")
        }
    }

    // MARK: What a commit says besides

    var result: String? { if case .completed(let json) = way { json } else { nil } }

    var reason: String? { if case .discarded(let why) = way { why } else { nil } }

    var delay: Duration? {
        if case .snoozed(let pause) = way { RunEnding.bounded(pause) } else { nil }
    }
}
