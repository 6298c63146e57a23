import Tenure

/// Events that wait for one reader: so many, and after these a count of what was left out, at the
/// place where it is missing.
final class EventBuffer: Sendable {
    private struct State {
        var waiting: [JobEvent] = []
        /// Those before it are taken.
        var head = 0
        /// Left out behind those that wait.
        var missed = 0
        var isOver = false
        var reader: CheckedContinuation<JobEvent?, Never>?

        var count: Int { waiting.count - head }

        mutating func takeFirst() -> JobEvent? {
            if head == waiting.count {
                guard missed > 0 else { return nil }
                defer { missed = 0 }
                return .missed(missed)
            }
            defer {
                head += 1
                if head == waiting.count || head > 1000 {
                    waiting.removeFirst(head)
                    head = 0
                }
            }
            return waiting[head]
        }
    }
    private let state = Lock(State())
    private let keeping: Int

    init(keeping: Int) { self.keeping = keeping }

    /// Neither waits nor fails.
    func add(_ event: JobEvent) {
        let reader = state.withLock { state -> CheckedContinuation<JobEvent?, Never>? in
            if state.isOver { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            guard state.count < keeping else {
                // What another buffer has left out counts here, too.
                let count = if case .missed(let more) = event { more } else { 1 }
                state.missed += count
                return nil
            }
            if state.missed > 0 { state.waiting.append(.missed(state.missed)) }
            state.missed = 0
            state.waiting.append(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// - Returns: nil when it is over and all is taken, or the task was cancelled.
    func next() async -> JobEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, waits) = state.withLock { state -> (JobEvent?, Bool) in
                    if Task.isCancelled { return (nil, false) }
                    if let event = state.takeFirst() { return (event, false) }
                    if state.isOver { return (nil, false) }
                    state.reader = continuation
                    return (nil, true)
                }
                if !waits { continuation.resume(returning: event) }
            }
        } onCancel: {
            wakeReader()
        }
    }

    /// Takes no more; what waits can still be read.
    func finish() {
        state.withLock { $0.isOver = true }
        wakeReader()
    }

    private func wakeReader() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
