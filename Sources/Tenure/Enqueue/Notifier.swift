import Logging
import TenurePostgres

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

    /// Whether somebody's wake-ups may go along with the commit they tell of, which are then his
    /// to see off (``FollowingWakeups``). Nobody else waits for that: it may stand behind a lock
    /// for long. Where others have just gone it may not: `send` them after the commit.
    func mayFollow() -> Bool {
        state.withLock { state in
            state.came += 1
            guard state.phase == .idle, state.hasRested else { return false }
            state.restsUntil = .now + Self.shortestRest
            return true
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
            leave(queues.map(Wakeup.available(in:)))
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
