package import FoundationEssentials
import Logging
import TenurePostgres

/// A hint for workers. Everything works without: polling is the truth.
package struct Wakeup: Hashable, Sendable {
    /// Queues with something to claim; the payload is the queue.
    package static let available = "tenure_available"
    /// Runs whose right has ended: the payload is `key:KIND:KEY`, `job:ID` or, for a tree of jobs
    /// that was cancelled or has ended, `run:ID`.
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
        Wakeup(channel: endings, payload: String("key:\(kind):\(key)".prefix(1000)))
    }

    /// A tree of jobs was cancelled, or has ended.
    package static func ofRun(_ run: UUID) -> Wakeup {
        Wakeup(channel: endings, payload: "run:\(run.uuidString.lowercased())")
    }

    package static func after(_ jobs: [NewJob]) -> [Wakeup] {
        var wakeups: Set<Wakeup> = []
        for job in jobs {
            wakeups.insert(Wakeup(channel: available, payload: job.queue.rawValue))
            if let mode = job.mode, mode.way == .superseding {
                wakeups.insert(ofKey(mode.key, kind: job.kind))
            }
        }
        return Array(wakeups)
    }
}

/// Sends wake-ups after commits, coalesced: one statement at a time for all who come meanwhile.
///
/// A wake-up is a transaction of its own, with a write to the log. The first goes at once; while
/// more keep coming, they wait four times as long as the last one took: they never take more than
/// a fifth of what one connection can do (docs/decisions/enqueue.md).
package final class Notifier: Sendable {
    private struct State {
        var waiting: Set<Wakeup> = []
        var isSending = false
    }

    /// Whatever a slow answer would ask for.
    private static let longestPause: Duration = .milliseconds(10)

    private let pool: PostgresPool
    private let logger: Logger
    private let state = Lock(State())

    init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// Leaves wake-ups for the next sender. Never waits.
    package func note(_ wakeups: [Wakeup]) {
        state.withLock { $0.waiting.formUnion(wakeups) }
    }

    /// Sends what is waiting, unless somebody is at it already. Whoever calls waits for one
    /// batch at the most; what came meanwhile is sent by a task of the notifier's own. A failure
    /// is logged and forgotten: workers poll.
    package func send(_ wakeups: [Wakeup] = []) async {
        let isMine = state.withLock { state in
            state.waiting.formUnion(wakeups)
            defer { state.isSending = true }
            return !state.isSending
        }
        guard isMine, let batch = next() else { return }
        let pause = await withoutCancellation { await self.send(batch: batch) }
        if endIfDone() { return }
        // Unstructured because nobody should wait for hints, and callers go on coming.
        Task {
            await rest(for: pause)
            while let batch = next() { await rest(for: send(batch: batch)) }
        }
    }

    private func rest(for pause: Duration) async {
        do {
            try await PostgresReactor.shared.sleep(for: pause)
        } catch {
            // Nobody cancels the task; and if somebody did, the wake-ups would only go sooner.
        }
    }

    /// - Returns: how long the next one waits.
    private func send(batch: [Wakeup]) async -> Duration {
        let start = ContinuousClock.now
        do {
            _ = try await pool.execute(Notify(wakeups: batch))
        } catch {
            logger.debug("wake-ups were not sent", metadata: ["error": "\(error)"])
        }
        return min((ContinuousClock.now - start) * 4, Self.longestPause)
    }

    /// Nothing more has come meanwhile.
    private func endIfDone() -> Bool {
        state.withLock { state in
            if state.waiting.isEmpty { state.isSending = false }
            return !state.isSending
        }
    }

    private func next() -> [Wakeup]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isSending = false
                return nil
            }
            defer { state.waiting = [] }
            return Array(state.waiting)
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
