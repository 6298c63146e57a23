// docs/decisions/waits.md

import Tenure
public import TenureFoundation
import TenurePostgres

/// Waits that hold nothing: the run ends, its slot is free, and a later run goes on behind what is
/// done already.
///
/// Each of these calls is a step, by the signal's name or the one that is given: a later run finds
/// what an earlier one has received. Where there is something to wait for, the run's tasks are
/// cancelled and the call throws `CancellationError`: let it through. The run costs no attempt,
/// however often; what the handler has done outside of steps it does again.
///
/// Children of a handler may wait for several things at once: the first that comes starts the next
/// run, which waits for the rest again. A wait lets the steps that other children are at come to
/// their end first.
extension JobContext {
    /// Receives a signal that somebody sends (`TenureClient.signal`, `tenure.signal` in SQL,
    /// `tenure job signal`), before or after this call.
    /// - Parameter step: the step's name, where one signal is waited for more than once.
    /// - Returns: the signal's payload, read as `type`.
    /// - Throws: `CancellationError` while it has not come: the job waits for it. Otherwise as
    ///   `step`.
    public func signal<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, step: String? = nil
    ) async throws -> Value {
        let ended = try await wait(Wait(step: step ?? name, signal: name))
        return try decoded(
            ended.payload, of: "the payload of signal \"\(name)\"", as: type,
            isSecret: client.seals.codec != nil)
    }

    /// The same with an end: the time counts from the first run that waited.
    /// - Returns: nil where the time was over before the signal came. It stays so: what comes later
    ///   is kept for another call.
    public func signal<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, within limit: Duration, step: String? = nil
    ) async throws -> Value? {
        let ended = try await wait(
            Wait(step: step ?? name, signal: name, time: .after(limit)))
        guard ended.way == .signal else { return nil }
        return try decoded(
            ended.payload, of: "the payload of signal \"\(name)\"", as: type,
            isSecret: client.seals.codec != nil)
    }

    /// Receives a signal whose payload doesn't matter.
    public func signal(_ name: String, step: String? = nil) async throws {
        _ = try await wait(Wait(step: step ?? name, signal: name))
    }

    /// The same with an end.
    /// - Returns: whether it came in time.
    public func signal(
        _ name: String, within limit: Duration, step: String? = nil
    ) async throws -> Bool {
        try await wait(
            Wait(step: step ?? name, signal: name, time: .after(limit))
        ).way == .signal
    }

    /// Sleeps without a slot, by the database's clock, for ten years at most.
    /// - Parameter step: the step's name: a handler that sleeps twice gives each sleep one.
    public func sleep(for pause: Duration, step: String = "sleep") async throws {
        if pause <= .zero { return }
        _ = try await wait(Wait(step: step, time: .after(pause)))
    }

    /// Sleeps until a date.
    public func sleep(until date: Date, step: String = "sleep") async throws {
        if date <= Date() { return }
        let latest = Date(timeIntervalSinceNow: 10 * 365 * 86_400)
        _ = try await wait(Wait(step: step, time: .at(min(date, latest))))
    }

    /// How the wait has ended. Where it has not, the run ends.
    private func wait(_ wait: Wait) async throws -> EndedWait {
        if let step = StepLedger.current {
            throw TenureError(
                .misuse,
                "job \(jobID) waits for \(wait.description) within its step \"\(step)\", which "
                    + "would begin anew in each run: wait before the step or after it")
        }
        try held.steps.use(wait.step, of: jobID)
        if case .waiting = held.right.reason {
            // Another child has ended the run, to wait: it waits for this, too.
            held.wait(for: wait)
            throw CancellationError()
        }
        try held.checkNotEnded()
        try checkRight()
        if let known = try await known(wait) { return try await opened(known, of: wait) }
        if try await client.pool.ask(AskIfOver(wait, of: jobID)).first == true {
            let ended = Lock<EndedWait?>(nil)
            try await checkpoint { transaction in
                let row = try await transaction.execute(
                    TakeWait(wait, of: RunRef(job: jobID, fence: fence))
                ).first
                ended.withLock { $0 = row }
            }
            if let ended = ended.withLock({ $0 }) { return try await opened(ended, of: wait) }
        }
        await held.steps.close()
        held.wait(for: wait)
        throw CancellationError()
    }

    /// With the signal's payload as JSON.
    private func opened(_ ended: EndedWait, of wait: Wait) async throws -> EndedWait {
        guard let signal = wait.signal, ended.way == .signal else { return ended }
        return EndedWait(
            way: ended.way, payload: try await opened(ended.payload, as: .signal(signal)))
    }

    private func known(_ wait: Wait) async throws -> EndedWait? {
        guard let step = try await knownSteps()[wait.step] else { return nil }
        guard step.way != .done else {
            throw TenureError(
                .unreadableResult,
                "step \"\(wait.step)\" of job \(jobID) is something that was done, and is asked "
                    + "for as a wait: give the wait a name of its own")
        }
        guard step.way == .signal else { return EndedWait(way: step.way, payload: nil) }
        let rows = try await client.pool.ask(ReadStep(wait.step, of: jobID))
        return EndedWait(way: .signal, payload: rows.first ?? nil)
    }
}
