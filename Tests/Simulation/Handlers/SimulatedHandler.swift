import Tenure
import TenurePostgres
import TenureWorker

/// Runs one job as its character says, and tells the oracle what it sees.
struct SimulatedHandler: Sendable {
    let process: SimulatedProcess
    let network: Network
    let wakeups: WakeupBoard
    let oracle: Oracle
    let newJobs: @Sendable () -> [NewJob]

    struct Failure: Error {}
    struct Unreadable: Error {}
    enum Wrapped: Error { case transfer(cause: [any Error]) }

    func kind(timeout: Duration?) -> KindHandler {
        KindHandler(retry: .constant(.milliseconds(300)), timeout: timeout) { held in
            guard let payload = Payload(held.job.payload) else {
                throw UnreadablePayload(Unreadable())
            }
            return try await self.run(held, payload, timeout)
        }
    }

    private func run(
        _ held: Run, _ payload: Payload, _ timeout: Duration?
    ) async throws -> JobOutcome {
        let record = oracle.didStart(held, in: process, timeout: timeout)
        let run = Act(handler: self, record: record, payload: payload)
        do {
            let outcome = try await withTaskCancellationHandler {
                try await run.perform()
            } onCancel: {
                oracle.didCancel(record)
            }
            oracle.didEnd(record, RunRecord.Result(outcome))
            return outcome
        } catch {
            oracle.didEnd(record, RunRecord.Result(error))
            throw error
        }
    }
}

extension RunRecord.Result {
    fileprivate init(_ outcome: JobOutcome) {
        switch outcome.way {
        case .completed: self = .completed
        case .snoozed, .moved: self = .snoozed
        case .discarded: self = .discarded
        case .retried: self = .failure
        case .committed: self = .committed
        }
    }

    fileprivate init(_ error: any Error) {
        switch error {
        case is LateResult: self = .late
        case is CancellationError, is SimulatedHandler.Wrapped: self = .cancellation
        default: self = .failure
        }
    }
}

/// One run of a handler.
private struct Act: Sendable {
    let handler: SimulatedHandler
    let record: RunRecord
    let payload: Payload

    private var held: Run { record.held }
    private var oracle: Oracle { handler.oracle }
    private var isFirst: Bool { held.job.runs == 1 }

    func perform() async throws -> JobOutcome {
        switch payload.character {
        case .quick, .unreadable: return .completed
        case .slow: try await work()
        case .endless: try await sleep(.seconds(900))
        case .fails:
            try await work()
            if held.job.run.attempt <= payload.milliseconds % 5 {
                throw SimulatedHandler.Failure()
            }
        case .snoozes: if held.job.runs <= 2 { return .snooze(for: .milliseconds(400)) }
        case .discards: return .discard(reason: "of no use")
        case .unasked:
            if isFirst {
                oracle.reached.add(.unaskedCancellation)
                throw CancellationError()
            }
        case .stubborn, .stubbornCommit: return try await stayOn()
        case .wraps, .swallows: return try await misunderstand()
        case .children: try await workInChildren()
        default: return try await performCommit()
        }
        return .completed
    }

    private func performCommit() async throws -> JobOutcome {
        try await work()
        switch payload.character {
        case .commitsTwice: return try await commitTwice()
        case .commitsSnooze:
            return try await commit(isFirst ? .snooze(for: .milliseconds(500)) : .completed)
        case .commitsDiscard: return try await commit(.discard(reason: "seen enough"))
        case .retriesLate:
            do { return try await commit() } catch is LateResult {
                oracle.reached.add(.lateAfterRetry)
                return try await commit()
            }
        case .refused:
            return try await commit { transaction in
                if isFirst {
                    oracle.reached.add(.refusedWrite)
                    try await transaction.writeWrongly()
                }
            }
        case .checkpoints:
            try await checkpoint()
            try await work()
            return try await commit()
        case .followUps:
            let jobs = handler.newJobs()
            oracle.reached.add(.followUp)
            return try await commit { $0.enqueue(jobs) }
        case .gathers, .gathersWrongly: return try await commitTogether()
        case .lingers: return try await commit { _ in try await sleep(.milliseconds(700)) }
        default: return try await commit()
        }
    }

    // MARK: What it does

    private func sleep(_ duration: Duration) async throws {
        let clock = handler.process.clock!
        try await clock.sleep(until: clock.now + duration)
    }

    /// Takes its time, and has an effect outside in the end.
    private func work() async throws {
        try await sleep(.milliseconds(payload.milliseconds))
        try held.checkRight()
        oracle.effect(of: record)
    }

    private func stayOn() async throws -> JobOutcome {
        await withoutCancellation(on: handler.process.handlers) {
            // Nothing cancels this one.
            try? await sleep(.milliseconds(payload.milliseconds))
        }
        if record.isCancelled { oracle.reached.add(.stubborn) }
        return payload.character == .stubborn ? .completed : try await commit()
    }

    private func misunderstand() async throws -> JobOutcome {
        do {
            try await work()
            return .completed
        } catch {
            oracle.reached.add(.wrappedCancellation)
            if payload.character == .swallows { return .completed }
            throw SimulatedHandler.Wrapped.transfer(cause: [SimulatedHandler.Failure(), error])
        }
    }

    private func workInChildren() async throws {
        oracle.reached.add(.childTasks)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await work() } }
            try await group.waitForAll()
        }
    }

    // MARK: Commits

    private func commit(
        _ outcome: JobOutcome = .completed,
        _ body: @Sendable (SimulatedTransaction) async throws -> Void = { _ in }
    ) async throws -> JobOutcome {
        record.isCommitting = true
        defer { record.isCommitting = false }
        let outcome = try await judged {
            try await held.commit(outcome, on: commits) { transaction in
                try await transaction.write("result")
                try await body(transaction)
            }
        }
        record.hasCommitted = true
        return outcome
    }

    /// One of them may break what they write together.
    private func commitTogether() async throws -> JobOutcome {
        let isWrong = payload.character == .gathersWrongly && isFirst
        if isWrong { oracle.reached.add(.refusedTogether) }
        let gatherer: Gatherer<SimulatedCommits, Bool> = held.gatherer(
            of: handler.process, GathererBounds(upTo: 3, within: .milliseconds(400)), on: commits
        ) { members, transaction in
            for isWrong in members {
                try await transaction.write("result")
                if isWrong { try await transaction.writeWrongly() }
            }
        }
        record.isCommitting = true
        defer { record.isCommitting = false }
        let outcome = try await judged {
            try await held.commit(isWrong, .completed, in: gatherer)
        }
        record.hasCommitted = true
        return outcome
    }

    private func checkpoint() async throws {
        oracle.reached.add(.checkpoint)
        try await judged {
            try await held.checkpoint(on: commits) { try await $0.write("checkpoint") }
        }
    }

    private func commitTwice() async throws -> JobOutcome {
        let outcome = try await commit()
        do {
            _ = try await commit()
            oracle.fail("promise 2: \(record.name) committed twice")
        } catch let error as TenureError where error.code == .misuse {
            oracle.reached.add(.lateSecondCommit)
        } catch {
            // The network's: it says nothing of the first commit.
        }
        return outcome
    }

    private var commits: SimulatedCommits {
        SimulatedCommits(
            process: handler.process, network: handler.network, wakeups: handler.wakeups,
            didBegin: { [oracle] in oracle.didBegin($0, $1) })
    }

    /// The handler must be told the truth, whatever happened on the way.
    private func judged<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        record.transaction = nil
        do {
            let answer = try await body()
            oracle.told(record, committed: true)
            return answer
        } catch let late as LateResult {
            oracle.told(record, committed: false)
            oracle.toldLate(record)
            throw late
        } catch let error as PostgresError where error.code == .unknownCommit {
            oracle.reached.add(.unknownLeftOpen)
            throw error
        } catch {
            oracle.told(record, committed: false)
            throw error
        }
    }
}
