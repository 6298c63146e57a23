import Glibc
import Synchronization

/// Runs blocking work, one piece after the other, on threads outside the cooperative pool.
///
/// Threads of their own and not a dispatch queue: on Linux that shares its few threads with the
/// pool, and with eleven servers starting on two cores some waited ten seconds for their turn.
final class BlockingThread: Sendable {
    private let turn = Mutex(())

    /// The work sees the calling task's cancellation through the value it is given.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                startThread {
                    continuation.resume(
                        with: self.turn.withLock { _ in
                            Swift.Result { try work(cancellation) }
                        })
                }
            }
        } onCancel: {
            cancellation.request()
        }
    }
}

/// Carries a task's cancellation to work on another thread.
final class Cancellation: Sendable {
    static let never = Cancellation()

    private let isRequested = Atomic(false)

    func request() {
        isRequested.store(true, ordering: .relaxed)
    }

    func check() throws {
        if isRequested.load(ordering: .relaxed) { throw CancellationError() }
    }
}

/// Starts a detached thread. Without memory for one, the work is done here and now.
func startThread(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadWork(work))
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { raw in
            guard let raw else { return nil }
            Unmanaged<ThreadWork>.fromOpaque(raw).takeRetainedValue().work()
            return nil
        }, box.toOpaque())
    if result == 0 {
        pthread_detach(thread)
    } else {
        box.takeRetainedValue().work()
    }
}

private final class ThreadWork: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
