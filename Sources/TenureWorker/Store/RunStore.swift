package import Tenure
package import TenureFoundation

/// What a worker asks of the database beside its session. The real one is `PostgresRunStore`; a
/// simulation brings its own.
package protocol RunStore: Sendable {
    /// - Parameter answered: called once, when it is known which jobs they are, on a thread that
    ///   must not be held up: before the claim is committed and the jobs are read, so that it may
    ///   fail yet.
    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob]
    /// The same, for one of a worker's queues: claims of others may go along with it.
    /// - Returns: the jobs, and how long the database took for this queue, where that is known.
    func claimAmongOthers(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?)
    /// Notes which runs have begun or are about to; false: the session is over.
    /// - Parameter sent: called, without waiting, once the note is on its way: from then on the
    ///   death of this process doesn't stop it.
    func note(_ begun: BegunNote, sent: @escaping @Sendable () -> Void) async throws -> Bool
    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime
    /// Completes unkeyed runs without results, each with where to look for its row first; returns
    /// those that it did not.
    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID]
    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer]
    /// What has become of runs; nothing of those that are held.
    func verdicts(of runs: [RunRef]) async throws -> [(run: RunRef, verdict: Verdict)]
    /// Lets jobs of these kinds go that another release has held.
    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int
    /// Tells the workers elsewhere that these queues have something to claim. A hint: it may fail
    /// without anyone being told.
    func announce(_ queues: [QueueName]) async
    /// Tells those who wait for these jobs that they have ended. A hint, sent by somebody else.
    func tell(ended: [JobID])
    /// Tells the workers elsewhere that these queues have something to claim. A hint, sent by
    /// somebody else.
    func tell(availableIn queues: Set<QueueName>)
    /// Room in history for the next days.
    func makePartitions() async throws
    /// Ends those of these batches that have no job left; returns them.
    /// - Parameter sent: called, without waiting, when the database has been asked: what it takes
    ///   counts from then on.
    func settle(
        batches: [UUID], sent: @escaping @Sendable () -> Void
    ) async throws -> [SettledBatch]
    /// Does what is left to do for open batches, some at a time; returns where to go on.
    func sweepBatches(after: UUID?) async throws -> (next: UUID?, settled: [SettledBatch])
    /// Discards jobs that had not begun by their `notAfter`; returns them, and their batches.
    func expire() async throws -> (jobs: [ExpiredJob], batches: [SettledBatch])
    /// Lets jobs go that wait for a run that is over, some at a time; returns where to go on.
    func sweepWaiting(after: UUID?) async throws -> (onward: UUID?, released: Int)
    /// Jobs that this store, and the commits beside it, have ended, and for which others wait.
    var awaitedEnds: AwaitedEnds { get }
    /// Lets jobs go that waited for these to end, or cancels them; for whichever, where nil; as
    /// many as this in one transaction. The ends are committed. Tells nobody of what there is to
    /// claim now.
    func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds
    /// Takes claim rows away that have had their time; what they speak for gets rows of its own.
    func sweepClaims() async throws
}

/// A store that takes every claim for a beginning has nothing to note.
extension RunStore {
    package func note(
        _ begun: BegunNote, sent: @escaping @Sendable () -> Void
    ) async throws -> Bool {
        sent()
        return true
    }
}

/// A store whose jobs belong to no batch has nothing to do.
extension RunStore {
    package func settle(
        batches: [UUID], sent: @escaping @Sendable () -> Void
    ) async throws -> [SettledBatch] { [] }
    package func sweepBatches(
        after: UUID?
    ) async throws -> (next: UUID?, settled: [SettledBatch]) { (nil, []) }
}

/// A store whose jobs never expire has nothing to do.
extension RunStore {
    package func expire() async throws -> (jobs: [ExpiredJob], batches: [SettledBatch]) { ([], []) }
}

/// A store that forgets no successor has nothing to do.
extension RunStore {
    package func sweepWaiting(
        after: UUID?
    ) async throws -> (onward: UUID?, released: Int) { (nil, 0) }
}

/// A store whose jobs wait for no others has nothing to do.
extension RunStore {
    package var awaitedEnds: AwaitedEnds { AwaitedEnds() }
    package func settleEnds(of jobs: [JobID]?, atMost: Int) async throws -> SettledEnds {
        SettledEnds()
    }
}

/// A store that writes each claimed job has nothing to do.
extension RunStore {
    package func sweepClaims() async throws {}
}

/// Nobody waits where nobody can be told.
extension RunStore {
    package func tell(ended: [JobID]) {}
    package func tell(availableIn queues: Set<QueueName>) {}
}

/// When a queue is worth another look.
package struct DueTime: Sendable {
    /// Until the next job is due, not positive when one is; nil when there is none.
    package let dueIn: Duration?
    /// Limits hold jobs back, and nobody announces when they let go.
    package let isGuarded: Bool

    package init(dueIn: Duration?, isGuarded: Bool) {
        self.dueIn = dueIn
        self.isGuarded = isGuarded
    }
}

/// What the database says to a run's report.
package enum EndAnswer: Hashable, Sendable {
    case ended(RunOutcome)
    /// The job, or its key, was locked just then: nothing is written yet.
    case busy

    private enum Unwritten: String { case late, busy }

    /// As the database says it.
    package init(text: String) {
        self =
            switch Unwritten(rawValue: text) {
            case .late: .ended(.late)
            case .busy: .busy
            case nil: .ended(RunOutcome(text: text))
            }
    }
}

extension RunStore {
    package func claimAmongOthers(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?) {
        (try await claim(request, answered: answered), nil)
    }
}
