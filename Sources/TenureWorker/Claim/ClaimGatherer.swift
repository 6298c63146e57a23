// docs/decisions/many-queues.md

import Tenure
import TenurePostgres

/// Claims of several queues that are asked for while others are under way go to the database
/// together, in one call.
///
/// A worker's queues claim each for itself. The first two claims go at once. Whoever comes while
/// they are under way waits until one of them is answered, and the next to go takes along who
/// waits by then. So a process with one queue never waits, and one with a thousand makes no more
/// calls than the database answers.
final class ClaimGatherer: Sendable {
    /// In one call.
    private static let mostQueues = 100
    /// Calls at a time.
    private static let mostOpen = 2

    private enum Turn: Sendable {
        /// It goes, and takes these along.
        case goes(with: [Waiting])
        case told(Answer)
    }

    private enum Answer: Sendable {
        case jobs([ClaimedJob], Duration)
        case failure(any Error)
        case isLimited
        /// Others had enough for one call.
        case isLeft
    }

    private struct Waiting: Sendable {
        let request: ClaimRequest
        let turn: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var open = 0
        var waiting: [Waiting] = []
        var limited: Set<QueueName> = []
        /// Claimed from alone until that succeeds: what one of them fails by is nothing to others.
        var failed: Set<QueueName> = []
    }

    private let pool: PostgresPool
    private let state = Lock(State())

    init(pool: PostgresPool) { self.pool = pool }

    /// - Returns: the jobs, and how long the database took for this queue, where that is known.
    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?) {
        while goesWithOthers(request) {
            switch await answer(to: request) {
            case .jobs(let jobs, let took):
                answered(ClaimGlance(jobs))
                return (jobs, took)
            case .failure(let error): throw error
            case .isLimited: _ = state.withLock { $0.limited.insert(request.queue) }
            case .isLeft: continue
            case nil: return try await goAlone(request, answered: answered)
            }
        }
        let jobs = try await ask(request, answered: answered)
        _ = state.withLock { $0.failed.remove(request.queue) }
        return (jobs, nil)
    }

    private func goesWithOthers(_ request: ClaimRequest) -> Bool {
        state.withLock {
            !$0.limited.contains(request.queue) && !$0.failed.contains(request.queue)
        }
    }

    // MARK: Turns

    /// Nil: its turn has come, and there is nobody to take along.
    private func answer(to request: ClaimRequest) async -> Answer? {
        switch await turn(of: request) {
        case .told(let answer): answer
        case .goes(let others): await others.isEmpty ? nil : go(request, with: others)
        }
    }

    private func turn(of request: ClaimRequest) async -> Turn {
        await withCheckedContinuation { continuation in
            let goes = state.withLock { state in
                guard state.open >= Self.mostOpen else {
                    state.open += 1
                    return true
                }
                state.waiting.append(Waiting(request: request, turn: continuation))
                return false
            }
            if goes { continuation.resume(returning: .goes(with: [])) }
        }
    }

    /// A call has been answered: the next one goes, with all that wait.
    private func passOn() {
        let next = state.withLock { state in
            let next = Array(state.waiting.prefix(Self.mostQueues))
            state.waiting.removeFirst(next.count)
            if next.isEmpty { state.open -= 1 }
            return next
        }
        next.first?.turn.resume(returning: .goes(with: Array(next.dropFirst())))
    }

    // MARK: Calls

    private func goAlone(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> (jobs: [ClaimedJob], took: Duration?) {
        let begun = ContinuousClock.now
        let took = Lock<Duration?>(nil)
        do {
            let jobs = try await ask(request) { glance in
                took.withLock { $0 = begun.duration(to: .now) }
                self.passOn()
                answered(glance)
            }
            return (jobs, took.withLock { $0 })
        } catch {
            if took.withLock({ $0 == nil }) { passOn() }
            throw error
        }
    }

    /// Tells the others what came of it: all of them fail with the call.
    private func go(_ request: ClaimRequest, with others: [Waiting]) async -> Answer {
        // In the order of the line: who was left over has come again before those who had enough.
        var asked = [request]
        var names: Set = [request.queue]
        for other in others where other.request.session == request.session {
            if names.insert(other.request.queue).inserted { asked.append(other.request) }
        }
        let answers = await ask(asked)
        var told: Set<QueueName> = [request.queue]
        for other in others {
            let queue = other.request.queue
            // Of another session, or asked for twice: it isn't in the call.
            let isNew = other.request.session == request.session && told.insert(queue).inserted
            other.turn.resume(returning: .told(isNew ? answers[queue] ?? .isLeft : .isLeft))
        }
        return answers[request.queue] ?? .isLeft
    }

    private func ask(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] {
        if request.isForFreeSlots {
            return try await pool.execute(
                ClaimFew(request: request), isEarly: false, answered: answered)
        }
        return try await pool.execute(
            ClaimJobs(request: request), isEarly: request.mayFold, answered: answered)
    }

    private func ask(_ requests: [ClaimRequest]) async -> [QueueName: Answer] {
        let begun = ContinuousClock.now
        let took = Lock<Duration?>(nil)
        do {
            let rows = try await pool.execute(ClaimQueues(requests: requests), isEarly: true) { _ in
                took.withLock { $0 = begun.duration(to: .now) }
                self.passOn()
            }
            let share = (took.withLock { $0 } ?? .zero) / requests.count
            return Self.sort(rows, of: requests, each: share)
        } catch {
            if took.withLock({ $0 == nil }) { passOn() }
            state.withLock { $0.failed.formUnion(requests.map(\.queue)) }
            return Dictionary(uniqueKeysWithValues: requests.map { ($0.queue, .failure(error)) })
        }
    }

    private static func sort(
        _ rows: [ClaimQueues.Answer], of requests: [ClaimRequest], each share: Duration
    ) -> [QueueName: Answer] {
        var jobs = Dictionary(
            uniqueKeysWithValues: requests.map { ($0.queue, [ClaimedJob]()) })
        var others: [QueueName: Answer] = [:]
        for row in rows {
            switch row {
            case .job(let job): jobs[job.run.queue, default: []].append(job)
            case .isLimited(let queue): others[queue] = .isLimited
            case .isLeft(let queue): others[queue] = .isLeft
            }
        }
        return jobs.mapValues { .jobs($0, share) }.merging(others) { $1 }
    }
}
