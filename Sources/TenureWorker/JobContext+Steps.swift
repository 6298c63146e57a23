// docs/decisions/waits.md

import Logging
public import Tenure
import TenureFoundation
import TenurePostgres

/// Parts of a handler that are done once.
extension JobContext {
    /// Does a part of the work once, however often the job runs: its result is kept behind the
    /// fence the first time, and returned to every later run, which doesn't do it again.
    ///
    /// What `body` does outside of the database is done at least once: a run may end between that
    /// and the moment its result is kept. Give the outside system `jobID` and the step's name to
    /// know a repetition by. While the database is away the result is kept trying to be kept, as
    /// long as the run's right lasts.
    ///
    /// - Parameters:
    ///   - name: by which a later run knows it, of 1 to 128 bytes; used once in a run. A job has a
    ///     thousand steps at most.
    ///   - body: its result is kept as JSON, of a megabyte at most. What it throws comes through,
    ///     nothing is kept, and the handler may try the step again.
    /// - Throws: `LateResult` when the run has lost its job meanwhile; `TenureError`: `.misuse` for
    ///   a name that this run has used, `.unreadableResult` where an earlier run has kept a value
    ///   of another type, `.invalidJob` for a result that breaks a limit; `PostgresError`.
    ///   `CancellationError` when the run's right is gone: nothing was begun then. Where a codec
    ///   can't read what is kept, `TenureError` with `.unknownKey` or `.notSealed`: let it through,
    ///   and the job is held for a worker that can; or with `.brokenSeal`.
    @discardableResult
    public func step<Value: Codable & Sendable>(
        _ name: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await kept(name, as: Value.self) { attempt in
            let start = ContinuousClock.now
            let value = try await attempt.run(body)
            let step = try keepStep(name, value, since: start)
            try await whileAway { try await writeStep { _ in step } }
            return value
        }
    }

    /// The same for a part without a result.
    public func step(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
        _ = try await step(name) {
            try await body()
            return Nothing()
        }
    }

    /// Does a part of the work exactly once: what `body` writes and the step's result are one
    /// transaction, behind the fence.
    ///
    /// What is enqueued in it belongs to the job's batch, as in ``commit(_:_:)``. Do slow work
    /// before, not inside. Throws as `step(_:_:)` and as `commit` do; nothing is kept then.
    @discardableResult
    public func step<Value: Codable & Sendable>(
        _ name: String, _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await kept(name, as: Value.self) { attempt in
            let start = ContinuousClock.now
            let done = Lock<Value?>(nil)
            try await writeStep { transaction in
                let value = try await attempt.run { try await body(transaction) }
                done.withLock { $0 = value }
                return try keepStep(name, value, since: start)
            }
            guard let value = done.withLock({ $0 }) else { throw CancellationError() }
            return value
        }
    }

    /// The same for a part without a result.
    public func step(
        _ name: String, _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws {
        _ = try await step(name) { transaction in
            try await body(transaction)
            return Nothing()
        }
    }

    /// What an earlier run has kept, or what `make` makes.
    private func kept<Value: Codable & Sendable>(
        _ name: String, as type: Value.Type, _ make: (StepAttempt) async throws -> Value
    ) async throws -> Value {
        try held.checkNotEnded()
        try checkRight()
        try held.steps.use(name, of: jobID)
        guard let step = try await knownSteps()[name] else {
            let attempt = StepAttempt()
            do {
                return try await held.steps.during(name) { try await make(attempt) }
            } catch {
                // Where its result may be kept, it isn't done again.
                if attempt.hasFailed { held.steps.giveBack(name) }
                throw error
            }
        }
        guard step.way == .done, step.type == Self.name(of: type) else {
            let was = step.way == .done ? "a \(step.type ?? "nothing")" : "the end of a wait"
            throw TenureError(
                .unreadableResult,
                "step \"\(name)\" of job \(jobID) has kept \(was), and is asked for as a "
                    + "\(Self.name(of: type)): give what is new a new name, or read what is there")
        }
        return try await result(of: name, as: type)
    }

    private func keepStep(
        _ name: String, _ value: some Encodable, since start: ContinuousClock.Instant
    ) throws -> KeepStep {
        KeepStep(
            name, of: RunRef(job: jobID, fence: fence), type: Self.name(of: type(of: value)),
            result: value is Nothing ? nil : try sealedResult(value, of: name),
            took: start.duration(to: .now))
    }

    private func sealedResult(_ value: some Encodable, of step: String) throws -> String {
        try client.seals.sealed(
            try ResultJSON.encode(value, of: "step \"\(step)\""),
            for: PayloadContext(.step(step), of: .job(jobID), kind: kind))
    }

    /// Behind the fence, with the writes of `body`.
    private func writeStep(
        _ body: @Sendable (PostgresTransaction) async throws -> KeepStep
    ) async throws {
        try await checkpoint { transaction in
            _ = try await transaction.execute(try await body(transaction))
        }
    }

    /// The database may be away for a moment, and what was done can't be undone.
    func whileAway(_ body: () async throws -> Void) async throws {
        var pause = Duration.milliseconds(50)
        while true {
            do {
                return try await body()
            } catch let error as PostgresError where error.isTransient {
                log.debug("a step can't be kept yet", metadata: .init([.error: "\(error)"]))
                try await Task.sleep(for: pause)
                try checkRight()
                pause = min(pause * 2, .seconds(1))
            }
        }
    }

    private static func name(of type: Any.Type) -> String {
        type == Nothing.self ? "Void" : String(describing: type)
    }

    // MARK: For waits too

    func knownSteps() async throws -> [String: StepType] {
        try await held.steps.known { try await client.pool.ask(ReadSteps(of: jobID)) }
    }

    func result<Value: Decodable>(of step: String, as type: Value.Type) async throws -> Value {
        let rows = try await client.pool.ask(ReadStep(step, of: jobID))
        let stored = rows.first ?? nil
        let json = try await opened(stored, as: .step(step))
        let isSecret = stored.map { SealedJSON.isSealed($0) } ?? false
        return try decoded(json, of: "step \"\(step)\"", as: type, isSecret: isSecret)
    }

    /// As JSON. What a worker's codec can't read is for another worker: the job is held.
    func opened(_ stored: String?, as content: PayloadContext.Content) async throws -> String? {
        guard let stored, !client.seals.isOpen(stored) else { return stored }
        return try await client.opened(stored, at: held.place(of: content))
    }

    func decoded<Value: Decodable>(
        _ json: String?, of what: String, as type: Value.Type, isSecret: Bool
    ) throws -> Value {
        if let nothing = Nothing() as? Value { return nothing }
        do {
            return try JSONDecoder().decode(type, from: Data((json ?? "null").utf8))
        } catch {
            throw TenureError(
                .unreadableResult,
                "\(what) of job \(jobID) can't be read as \(Self.name(of: type)): "
                    + PayloadMismatch.text(error, isSecret: isSecret),
                cause: isSecret ? nil : error)
        }
    }
}

/// Whether it is the work itself that failed, not the keeping of its result.
private final class StepAttempt: Sendable {
    private let failed = Lock(false)

    var hasFailed: Bool { failed.withLock { $0 } }

    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        failed.withLock { $0 = true }
        let value = try await body()
        failed.withLock { $0 = false }
        return value
    }
}

/// The result of what has none.
struct Nothing: Codable, Sendable {}
