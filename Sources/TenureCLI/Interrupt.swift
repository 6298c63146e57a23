import Dispatch
import Glibc
import Synchronization
import UnixSignals

/// What Ctrl-C and SIGTERM do.
///
/// A command that does one thing is cancelled. A command that serves is first asked to shut down
/// gracefully, by its service group; a second signal cancels it, which ends the grace period.
enum Interrupt {
    private static let isServing = Mutex(false)
    private static let patience = Mutex(Duration.seconds(5))

    /// From here on the first signal is the service group's.
    static func handOver() { isServing.withLock { $0 = true } }

    /// How long a cancelled command may take to clear away what it made.
    static func allow(_ patience: Duration) { self.patience.withLock { $0 = patience } }

    static func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            group.addTask {
                await waitForCancel(signals)
                return false
            }
            let isDone = try await group.next() ?? true
            group.cancelAll()
            if isDone { return }
            if !isServing.withLock({ $0 }) { giveUpSoon() }
            // The command may have finished its work in spite of it: then that counts.
            try await group.waitForAll()
        }
    }

    private static func waitForCancel(_ signals: UnixSignalsSequence) async {
        var isAsked = false
        for await _ in signals {
            if isAsked || !isServing.withLock({ $0 }) { return }
            isAsked = true
        }
    }

    /// What doesn't hear its cancellation, such as a read from a terminal, is left behind.
    private static func giveUpSoon() {
        let limit = DispatchTimeInterval.seconds(Int(patience.withLock { $0 } / .seconds(1)))
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
            Terminal.giveUp()
            Terminal.error("tenure: cancelled")
            _exit(Exit.cancelled)
        }
    }
}
