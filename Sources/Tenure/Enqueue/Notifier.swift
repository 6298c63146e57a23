import Logging
package import TenureFoundation
import TenurePostgres

/// A hint for workers. Everything works without: polling is the truth.
package struct Wakeup: Hashable, Sendable {
    /// Queues with something to claim; the payload is the queue.
    package static let available = "tenure_available"
    /// Runs whose right has ended: the payload is `key:KIND:KEY`, `kind:KIND` for many keys at
    /// once, `job:ID` or, for a batch that was cancelled or has ended, `batch:ID`. And between
    /// those who wait for a job's end and the workers: `wait:ID` and `end:ID`.
    package static let endings = "tenure_endings"

    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }

    /// Runs of a key may have lost their right. A notification carries less than 8,000 bytes: a
    /// long key's is cut, and concerns all that begin alike.
    package static func ofKey(_ key: String, kind: JobKind) -> Wakeup {
        let name = "key:\(kind):\(key)"
        // Fewer bytes are fewer letters too, and those take longer to count.
        return Wakeup(
            channel: endings, payload: name.utf8.count <= 1000 ? name : String(name.prefix(1000)))
    }

    /// Runs of many keys of a kind may have lost their right.
    static func ofKind(_ kind: JobKind) -> Wakeup {
        Wakeup(channel: endings, payload: "kind:\(kind)")
    }

    /// The kind that a payload says so of.
    package static func kind(in payload: String) -> JobKind? {
        payload.hasPrefix("kind:") ? JobKind(String(payload.dropFirst(5))) : nil
    }

    /// So many keys of a kind are named one by one. A notification goes to every worker: past
    /// these it is cheaper if each looks after all of its runs of the kind.
    static let mostKeys = 16

    /// A running job was cancelled.
    static func ofJob(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "job:\(job)")
    }

    /// A batch was cancelled, or has ended.
    package static func ofBatch(_ batch: UUID) -> Wakeup {
        Wakeup(channel: endings, payload: "batch:\(batch.uuidString.lowercased())")
    }

    /// Somebody waits for a job's end.
    static func ofWait(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "wait:\(job)")
    }

    /// A job has ended that somebody waits for.
    package static func ofEnd(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "end:\(job)")
    }

    /// The job that a payload says is waited for.
    package static func awaited(in payload: String) -> JobID? {
        payload.hasPrefix("wait:") ? JobID(String(payload.dropFirst(5))) : nil
    }

    package static func after(_ jobs: [NewJob]) -> [Wakeup] {
        var keys: [JobKind: Set<String>] = [:]
        for job in jobs {
            if let mode = job.mode, mode.way == .superseding,
                keys[job.kind].map({ $0.count <= mostKeys }) ?? true
            {
                keys[job.kind, default: []].insert(mode.key)
            }
        }
        return jobs.queues.map { Wakeup(channel: available, payload: $0.rawValue) }
            + keys.flatMap { kind, keys in
                keys.count > mostKeys ? [ofKind(kind)] : keys.map { ofKey($0, kind: kind) }
            }
    }
}

/// Sends wake-ups after commits, coalesced: one statement at a time for all who come meanwhile.
///
/// A wake-up is a transaction of its own, with a write to the log. The first goes at once, on the
/// heels of the commit it tells of where it can; the next ones rest four times as long as that
/// took, 1 ms at least: they never take more than a fifth of what one connection can do. The more
/// commits came during a rest, the longer is the next, up to 10 ms: where thousands come in a
/// second, the workers were woken a moment ago (docs/decisions/enqueue.md).
package final class Notifier: Sendable {
    private enum Phase { case idle, sending, resting }

    private struct State {
        var waiting: Set<Wakeup> = []
        var phase = Phase.idle
        var restsUntil: ContinuousClock.Instant?
        /// How many brought wake-ups since the last ones were sent.
        var came = 0

        var hasRested: Bool { restsUntil.map { $0 <= .now } ?? true }

        mutating func rest(after took: Duration) {
            let alone = max(took * 4, Notifier.shortestRest)
            restsUntil = .now + min(alone * max(1, came / 2), Notifier.longestRest)
            came = 0
        }

        /// What is to be sent now by whoever asks; nil when others will.
        mutating func begin() -> [Wakeup]? {
            guard phase == .idle, !waiting.isEmpty, hasRested else { return nil }
            phase = .sending
            defer { waiting = [] }
            return Array(waiting)
        }
    }

    private static let shortestRest: Duration = .milliseconds(1)
    /// Whatever a slow answer would ask for.
    private static let longestRest: Duration = .milliseconds(10)

    /// Of those who share it: who ends jobs has it at hand.
    package let awaitedEnds = AwaitedEnds()
    private let pool: PostgresPool
    private let logger: Logger
    private let state = Lock(State())

    init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// Takes wake-ups along with the commit they tell of. Nobody else waits for that: it may stand
    /// behind a lock for long.
    ///
    /// - Returns: nil when others have just gone: `send` them after the commit.
    func following(_ wakeups: [Wakeup]) -> FollowingWakeups? {
        state.withLock { state in
            state.came += 1
            guard state.phase == .idle, state.hasRested else { return nil }
            state.restsUntil = .now + Self.shortestRest
            return FollowingWakeups(self, wakeups)
        }
    }

    func followed(_ took: Duration) { state.withLock { $0.rest(after: took) } }

    /// Wake-ups that whoever brings them can't wait for: they are sent by the notifier's own task.
    package func leave(_ wakeups: [Wakeup]) {
        state.withLock { $0.waiting.formUnion(wakeups) }
        goOn()
    }

    /// Queues that have something to claim, for whoever can't wait.
    package func wakeUp(_ queues: Set<QueueName>) {
        if !queues.isEmpty {
            leave(queues.map { Wakeup(channel: Wakeup.available, payload: $0.rawValue) })
        }
    }

    /// Sends what is waiting, unless somebody is at it already or it has just been done: then it is
    /// sent by a task of the notifier's own. A failure is logged and forgotten: workers poll.
    package func send(_ wakeups: [Wakeup] = []) async {
        let group = state.withLock { state in
            state.waiting.formUnion(wakeups)
            return state.begin()
        }
        if let group { await withoutCancellation { await self.sendNow(group) } } else { goOn() }
    }

    private func sendNow(_ group: [Wakeup]) async {
        let start = ContinuousClock.now
        do {
            _ = try await pool.execute(Notify(wakeups: group))
        } catch {
            logger.debug("wake-ups were not sent", metadata: ["error": "\(error)"])
        }
        state.withLock { state in
            state.phase = .idle
            state.rest(after: ContinuousClock.now - start)
        }
        goOn()
    }

    /// Sees to it that what is waiting is sent when the rest is over.
    private func goOn() {
        let end: ContinuousClock.Instant? = state.withLock { state in
            guard state.phase == .idle, !state.waiting.isEmpty else { return nil }
            state.phase = .resting
            return state.restsUntil ?? .now
        }
        guard let end else { return }
        // Unstructured because nobody should wait for hints, and callers go on coming.
        Task {
            do {
                try await PostgresReactor.shared.sleep(for: end - .now)
            } catch {
                // Nobody cancels the task; and if somebody did, they would only go sooner.
            }
            let group = state.withLock { state in
                state.phase = .idle
                state.restsUntil = nil
                return state.begin()
            }
            if let group { await sendNow(group) }
        }
    }
}

/// Wake-ups that go out on the heels of the commit they tell of: on its connection, before its
/// answer has reached anyone.
final class FollowingWakeups: Sendable {
    private enum State { case waiting, handedOver, failed, settled }

    private let notifier: Notifier
    private let wakeups: [Wakeup]
    private let state = Lock(State.waiting)

    init(_ notifier: Notifier, _ wakeups: [Wakeup]) {
        self.notifier = notifier
        self.wakeups = wakeups
    }

    /// To be given to the commit; nil after the first time.
    ///
    /// - Throws: when they don't fit into a statement.
    func follower() throws -> PostgresFollower? {
        guard case .waiting = state.withLock({ $0 }) else { return nil }
        let follower = try PostgresFollower(Notify(wakeups: wakeups)) { self.end($0) }
        state.withLock { $0 = .handedOver }
        return follower
    }

    /// To be called after the commit.
    ///
    /// - Returns: whether its wake-ups still have to be sent. From here on a failure sends them.
    func isStillToBeSent() -> Bool {
        state.withLock { state in
            guard case .handedOver = state else { return true }
            state = .settled
            return false
        }
    }

    private func end(_ result: Result<Duration, any Error>) {
        switch result {
        case .success(let took): notifier.followed(took)
        case .failure:
            let isSettled = state.withLock { state in
                defer { state = .failed }
                if case .settled = state { return true }
                return false
            }
            if isSettled { notifier.leave(wakeups) }
        }
    }
}

/// Sends notifications, all in one statement. Its commit waits for no disk: hints may be lost.
struct Notify: PostgresStatement {
    static let sql = """
        SELECT pg_notify(n.channel, n.payload)
        FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS quick,
             unnest($1::text[], $2::text[]) AS n (channel, payload)
        """
    let wakeups: [Wakeup]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(wakeups.map(\.channel))
        try parameters.append(wakeups.map(\.payload))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> PostgresNoRow { PostgresNoRow() }
}
