import Logging
import Synchronization

/// A server beside something more important: what becomes of it never ends that.
///
/// It listens before `body` starts, so that a port in use is told at once. Later it is tried again
/// for as long as `body` runs, and each change of its state is logged once.
struct LastingServer: Sendable {
    /// Serves until cancelled; calls its argument once clients can connect.
    typealias Run = @Sendable (_ listening: @escaping @Sendable () -> Void) async throws -> Void

    let called: String
    var pause: Duration = .seconds(1)
    let logger: Logger
    let run: Run

    private enum Start: Sendable {
        case listening
        case failed(any Error)
    }
    private enum State { case new, up, down }
    private struct Ended: Error {}

    /// - Throws: why it couldn't start; what `body` throws.
    func serve(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let (starts, start) = AsyncStream.makeStream(of: Start.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await keep(start) }
            for await first in starts {
                if case .failed(let error) = first { throw error }
                break
            }
            try Task.checkCancellation()
            try await body()
        }
    }

    private func keep(_ start: AsyncStream<Start>.Continuation) async {
        let state = Mutex(State.new)
        defer { start.finish() }
        while !Task.isCancelled {
            var ending: any Error = Ended()
            do {
                try await run {
                    if state.exchange(.up) == .down {
                        logger.notice("\(called) serves again")
                    }
                    start.yield(.listening)
                }
            } catch {
                ending = error
            }
            if Task.isCancelled { return }
            start.yield(.failed(ending))
            if state.withLock({ $0 }) == .new { return }
            if state.exchange(.down) == .up {
                logger.warning(
                    "\(called) stopped; what runs here goes on, and it is tried again",
                    metadata: ["error": "\(ending)"])
            }
            // Reason for `try?`: a cancellation ends the loop.
            try? await Task.sleep(for: pause)
        }
    }
}

extension Mutex where Value: Sendable {
    /// Puts a value in the place of another.
    fileprivate func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
