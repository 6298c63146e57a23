// docs/decisions/waits.md

public import TenureFoundation
import TenurePostgres

extension TenureClient {
    /// Sends a signal to a job, which receives it with `context.signal`: at once where it waits for
    /// it, and otherwise when it comes to wait for it. One signal is received once.
    ///
    /// After return it is committed. A connection that breaks on the way is replaced, and the
    /// signal sent again under its id: it is never there twice. Signals of one name are received
    /// in the order in which they were sent. They are the job's own, and not its key's: a job that
    /// supersedes it receives none of them.
    ///
    /// - Parameters:
    ///   - payload: what the job gets with it, as JSON.
    ///   - id: under which it counts once, for a sender that may send it again after a crash.
    /// - Throws: `TenureError` with `.invalidJob` where the name or the payload breaks a limit;
    ///   `PostgresError`: the signal may be there, unless the error says that it was refused (TN003
    ///   for a job that has got a thousand).
    @discardableResult
    public func signal(
        _ job: JobID, _ name: String, _ payload: (any Encodable & Sendable)? = nil,
        id: UUID = UUID()
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, payload: payload, id: id)
            .sealed(by: seals, for: .job(job))
        return try await send(SendSignal(job: job, message: message))
    }

    /// The same to the job of a key: the newest that is not out of date.
    @discardableResult
    public func signal<J: Job>(
        _ type: J.Type, key: String, _ name: String, _ payload: (any Encodable & Sendable)? = nil,
        id: UUID = UUID()
    ) async throws -> SignalResult {
        try await signal(kind: type.kind, key: key, name, payload, id: id)
    }

    /// The same by the kind's name.
    @discardableResult
    public func signal(
        kind: JobKind, key: String, _ name: String, _ payload: (any Encodable & Sendable)? = nil,
        id: UUID = UUID()
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, payload: payload, id: id)
            .sealed(by: seals, for: .key(key), of: kind)
        return try await send(SendSignalToKey(kind: kind, key: key, message: message))
    }

    /// Sends a signal with the caller's transaction: it is there if and only if that commits.
    ///
    /// The job, and its key, are locked until then: make it one of the last things that the
    /// transaction does. Two handlers whose commits signal each other's jobs may meet in a
    /// deadlock, which PostgreSQL ends for one of them (40P01).
    @discardableResult
    public func signal(
        _ job: JobID, _ name: String, _ payload: (any Encodable & Sendable)? = nil,
        id: UUID = UUID(), in transaction: PostgresTransaction
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, payload: payload, id: id)
            .sealed(by: seals, for: .job(job))
        return try await send(SendSignal(job: job, message: message), in: transaction)
    }

    /// The same to the job of a key: the newest that is not out of date.
    @discardableResult
    public func signal<J: Job>(
        _ type: J.Type, key: String, _ name: String, _ payload: (any Encodable & Sendable)? = nil,
        id: UUID = UUID(), in transaction: PostgresTransaction
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, payload: payload, id: id)
            .sealed(by: seals, for: .key(key), of: type.kind)
        return try await send(
            SendSignalToKey(kind: type.kind, key: key, message: message), in: transaction)
    }

    private func send<Message: PostgresStatement>(
        _ message: Message, in transaction: PostgresTransaction
    ) async throws -> SignalResult where Message.Row == SignalAnswer {
        let answer = try await withRemedy { try await transaction.execute(message)[0] }
        transaction.keepDurable()
        guard let queue = answer.queue else { return answer.result }
        if let pending = transaction.attached(SignalledQueues.self), pending.add(queue) {
            return answer.result
        }
        let pending = SignalledQueues(queue)
        let wakeups = CommitWakeups(notifier)
        try transaction.attach(
            pending, beforeCommit: { try wakeups.go(pending.take(), with: $0) },
            afterCommit: { await wakeups.sendRest() })
        return answer.result
    }

    func send<Message: PostgresStatement>(
        _ message: Message
    ) async throws -> SignalResult where Message.Row == SignalAnswer {
        let end = ContinuousClock.now + .seconds(30)
        var pause = Duration.milliseconds(10)
        var isAgain = false
        while true {
            do {
                var answer = try await pool.ask(message)[0]
                if let queue = answer.queue { await notifier.send([.available(in: queue)]) }
                // The first try got through, and its answer didn't.
                if isAgain, answer.result == .repeated { answer.result = .kept }
                return answer.result
            } catch let error as PostgresError where error.isTransient && .now < end {
                isAgain = true
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            }
        }
    }
}

/// The queues that have something to claim once the transaction has committed.
private final class SignalledQueues: Sendable {
    private struct State {
        var queues: Set<QueueName>
        var isTaken = false
    }

    private let state: Lock<State>

    init(_ queue: QueueName) { state = Lock(State(queues: [queue])) }

    /// - Returns: false when it is too late, because the others have been handed over.
    func add(_ queue: QueueName) -> Bool {
        state.withLock { state in
            if !state.isTaken { state.queues.insert(queue) }
            return !state.isTaken
        }
    }

    func take() -> [Wakeup] {
        state.withLock { state in
            state.isTaken = true
            return state.queues.map { .available(in: $0) }
        }
    }
}
