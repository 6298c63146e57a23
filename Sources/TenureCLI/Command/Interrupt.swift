import Dispatch
import Synchronization
import TenureSystem
import UnixSignals

/// What Ctrl-C and SIGTERM do.
///
/// A command that does one thing is cancelled. A command that serves is first asked to shut down
/// gracefully, by its service group; a second signal cancels it, which ends the grace period.
package enum Interrupt {
    private static let isServing = Mutex(false)
    private static let clearing = Mutex(Clearing())

    private struct Clearing {
        var patience = 5
        /// What may still be there after that, and what to do about it.
        var leftover: String?
    }

    /// From here on the first signal is the service group's.
    static func handOver() { isServing.withLock { $0 = true } }

    /// How many seconds a cancelled command may take to clear away what it made, and what to say
    /// of that if it takes longer.
    package static func allow(seconds: Int, orSay leftover: String) {
        clearing.withLock { $0 = Clearing(patience: seconds, leftover: leftover) }
    }

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
        let clearing = clearing.withLock { $0 }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(clearing.patience)) {
            Terminal.giveUp()
            Terminal.error("tenure: cancelled" + (clearing.leftover.map { "; \($0)" } ?? ""))
            _exit(Exit.cancelled)
        }
    }
}
