import Dispatch
import Synchronization

/// Runs blocking work, one piece after the other, on a thread outside the cooperative pool: a
/// serial queue gets one of its own, however busy the pool is.
final class BlockingThread: Sendable {
    private let queue = DispatchQueue(label: "tenure.embedded-postgres")

    /// The work sees the calling task's cancellation through the value it is given.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: Swift.Result { try work(cancellation) })
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
