// docs/decisions/chunks.md

import Synchronization

/// Gathers what is asked of the database: questions that come while others are on their way go
/// together next, in one round trip. Nobody waits for others to come.
///
/// There is no task of its own: the first who asks carries the questions of all in its task. Where
/// that fails, or has to stop, each asks alone; so what one brings along is no other's fault.
final class LookGatherer<Question: Sendable, Answer: Sendable>: Sendable {
    /// - Returns: an answer for each question, in order.
    typealias Ask = @Sendable ([Question]) async throws -> [Answer]

    private struct State {
        var line: [LookSeat<Question, Answer>] = []
        var isAsking = false
    }

    private let most: Int
    private let ask: Ask
    private let state = Mutex(State())

    /// - Parameter most: how many questions go together.
    init(upTo most: Int = 64, _ ask: @escaping Ask) {
        (self.most, self.ask) = (most, ask)
    }

    /// How many wait for those that are on their way.
    var waiting: Int { state.withLock { $0.line.count } }

    /// - Throws: what asking alone throws; `CancellationError` when the task is cancelled.
    func answer(to question: Question) async throws -> Answer {
        let seat = LookSeat<Question, Answer>(question)
        let isFirst = state.withLock { state in
            if !state.isAsking {
                state.isAsking = true
                return true
            }
            state.line.append(seat)
            return false
        }
        if isFirst { return try await lead([seat], as: seat) }
        let call = await withTaskCancellationHandler {
            await seat.call()
        } onCancel: {
            state.withLock { $0.line.removeAll { $0 === seat } }
            seat.take(.leave)
        }
        switch call {
        case .lead(let seats): return try await lead(seats, as: seat)
        case .answer(let answer): return answer
        case .alone: return try await alone(question)
        case .leave: throw CancellationError()
        }
    }

    private func alone(_ question: Question) async throws -> Answer {
        let answers = try await ask([question])
        guard let answer = answers.first else { throw ContentError(.newerDatabase, "no answer") }
        return answer
    }

    /// In the task of one of them.
    private func lead(
        _ seats: [LookSeat<Question, Answer>], as mine: LookSeat<Question, Answer>
    ) async throws -> Answer {
        defer { callNext() }
        if seats.count == 1 { return try await alone(mine.question) }
        let answers: [Answer]
        do {
            answers = try await ask(seats.map(\.question))
        } catch {
            for seat in seats where seat !== mine { seat.take(.alone) }
            try Task.checkCancellation()
            return try await alone(mine.question)
        }
        guard answers.count == seats.count else {
            throw ContentError(.newerDatabase, "\(answers.count) of \(seats.count) answers")
        }
        var own: Answer?
        for (seat, answer) in zip(seats, answers) {
            if seat === mine { own = answer } else { seat.take(.answer(answer)) }
        }
        return own ?? answers[0]
    }

    /// Those that have come meanwhile go next, led by the first of them who hasn't left.
    private func callNext() {
        while true {
            let next = state.withLock { state in
                let next = Array(state.line.prefix(most))
                state.line.removeFirst(next.count)
                state.isAsking = !next.isEmpty
                return next
            }
            guard let first = next.first else { return }
            if first.take(.lead(next)) { return }
            // It is leaving; the others stay in line.
            state.withLock { $0.line.insert(contentsOf: next.dropFirst(), at: 0) }
        }
    }
}

/// One who asks: it waits here until it is called, once.
private final class LookSeat<Question: Sendable, Answer: Sendable>: Sendable {
    enum Call: Sendable {
        /// Ask for these, and tell them.
        case lead([LookSeat])
        case answer(Answer)
        /// Ask by yourself.
        case alone
        case leave
    }
    private struct State {
        var isCalled = false
        /// Until it is fetched: who leads is among those that it names, and would keep itself.
        var call: Call?
        var waiter: UnsafeContinuation<Call, Never>?
    }

    let question: Question
    private let state = Mutex(State())

    init(_ question: Question) { self.question = question }

    /// The first call counts.
    /// - Returns: whether it was this one.
    @discardableResult
    func take(_ call: Call) -> Bool {
        let (isFirst, waiter) = state.withLock { state in
            guard !state.isCalled else { return (false, UnsafeContinuation<Call, Never>?.none) }
            state.isCalled = true
            if state.waiter == nil { state.call = call }
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: call)
        return isFirst
    }

    func call() async -> Call {
        await withUnsafeContinuation { continuation in
            let call: Call? = state.withLock { state in
                if state.call == nil { state.waiter = continuation }
                defer { state.call = nil }
                return state.call
            }
            if let call { continuation.resume(returning: call) }
        }
    }
}
