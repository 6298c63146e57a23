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
    ///
    /// After return it is being written down as this step, behind the fence; whatever the run
    /// commits from then on, and its end, waits for that. A run that dies before has received
    /// nothing: a later one gets the same.
    /// - Parameter step: the step's name, where one signal is waited for more than once.
    /// - Returns: the signal's payload, read as `type`.
    /// - Throws: `CancellationError` while it has not come: the job waits for it. `TenureError`
    ///   with `.unreadableResult` where its payload is no `type`: nothing is received then, and the
    ///   handler may ask for it as another type. Otherwise as `step`.
    public func signal<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, step: String? = nil
    ) async throws -> Value {
        try await wait(Wait(step: step ?? name, signal: name)) { try payload($0, name, type) }
    }

    /// The same with an end: the time counts from the first run that waited.
    /// - Returns: nil where the time was over before the signal came. It stays so: what comes later
    ///   is kept for another call.
    public func signal<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, within limit: Duration, step: String? = nil
    ) async throws -> Value? {
        try await wait(Wait(step: step ?? name, signal: name, time: .after(limit))) {
            $0.way == .signal ? try payload($0, name, type) : nil
        }
    }

    /// Receives a signal whose payload doesn't matter.
    public func signal(_ name: String, step: String? = nil) async throws {
        try await wait(Wait(step: step ?? name, signal: name)) { _ in }
    }

    /// The same with an end.
    /// - Returns: whether it came in time.
    public func signal(
        _ name: String, within limit: Duration, step: String? = nil
    ) async throws -> Bool {
        try await wait(Wait(step: step ?? name, signal: name, time: .after(limit))) {
            $0.way == .signal
        }
    }

    /// Sleeps without a slot, by the database's clock, for ten years at most.
    /// - Parameter step: the step's name: a handler that sleeps twice gives each sleep one.
    public func sleep(for pause: Duration, step: String = "sleep") async throws {
        if pause <= .zero { return }
        try await wait(Wait(step: step, time: .after(pause))) { _ in }
    }

    /// Sleeps until a date.
    public func sleep(until date: Date, step: String = "sleep") async throws {
        if date <= Date() { return }
        let latest = Date(timeIntervalSinceNow: 10 * 365 * 86_400)
        try await wait(Wait(step: step, time: .at(min(date, latest)))) { _ in }
    }

    private func payload<Value: Decodable>(
        _ ended: EndedWait, _ signal: String, _ type: Value.Type
    ) throws -> Value {
        try decoded(
            ended.payload, of: "the payload of signal \"\(signal)\"", as: type,
            isSecret: client.seals.codec != nil)
    }

    /// What `read` makes of how the wait has ended. Where it has not, the run ends.
    private func wait<Value: Sendable>(
        _ wait: Wait, _ read: @escaping @Sendable (EndedWait) throws -> Value
    ) async throws -> Value {
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
        do {
            if let value = try await over(wait, read) { return value }
        } catch let error as TenureError where error.code == .unreadableResult {
            held.steps.giveBack(wait.step)
            throw error
        }
        await held.steps.close()
        held.wait(for: wait)
        throw CancellationError()
    }

    /// Ends the wait, unless what has come can't be read: then it is left for a handler that can.
    /// - Returns: nil where there is something to wait for.
    private func over<Value: Sendable>(
        _ wait: Wait, _ read: @escaping @Sendable (EndedWait) throws -> Value
    ) async throws -> Value? {
        while true {
            // What another child has received is seen by nobody else.
            try await held.received()
            let seen = try await see(wait)
            if let known = try await known(wait) {
                return try read(try await opened(known, of: wait))
            }
            guard case .over(let ended, let signal) = seen else { return nil }
            guard let signal else { return try await take(wait, read) }
            // It stays the oldest, whatever comes: a run that dies before this is written down
            // makes way for one that gets the same.
            let value = try read(try await opened(ended, of: wait))
            let isMine = held.steps.receive(signal, on: held.services.surroundings.handlers) {
                try await whileAway {
                    try await held.receive(on: commits) { transaction in
                        _ = try await transaction.execute(
                            TakeSignal(
                                signal, as: wait.step, of: RunRef(job: jobID, fence: fence)))
                    }
                }
            }
            if isMine { return value }
        }
    }

    /// How the wait would end now; what is behind the job is known afterwards.
    private func see(_ wait: Wait) async throws -> SeeWait.Row? {
        let asks = !held.steps.isKnown
        let rows = try await client.pool.ask(
            SeeWait(job: jobID, wait: wait, asksForSteps: asks))
        var steps: [StepType] = []
        var seen: SeeWait.Row?
        for row in rows {
            if case .step(let step) = row { steps.append(step) } else { seen = row }
        }
        if asks { held.steps.know(steps) }
        return seen
    }

    /// Whether its time or a signal came first is decided by the transaction that says so.
    private func take<Value: Sendable>(
        _ wait: Wait, _ read: @escaping @Sendable (EndedWait) throws -> Value
    ) async throws -> Value? {
        let taken = Lock<Value?>(nil)
        try await checkpoint { transaction in
            guard
                let row = try await transaction.execute(
                    TakeWait(wait, of: RunRef(job: jobID, fence: fence))
                ).first
            else { return }
            let value = try read(try await opened(row, of: wait))
            taken.withLock { $0 = value }
        }
        return taken.withLock { $0 }
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
