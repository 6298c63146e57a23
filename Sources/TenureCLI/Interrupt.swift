import Dispatch
import Glibc
import UnixSignals

/// Ctrl-C and SIGTERM cancel what runs; a second one ends the process.
enum Interrupt {
    static func cancelling(
        unless handled: Bool, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        if handled { return try await body() }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            group.addTask {
                for await _ in signals { return false }
                return false
            }
            let isDone = try await group.next() ?? true
            group.cancelAll()
            if isDone { return }
            signal(SIGINT, SIG_DFL)
            signal(SIGTERM, SIG_DFL)
            giveUpSoon()
            // The command may have finished its work in spite of it: then that counts.
            try await group.waitForAll()
        }
    }

    /// What doesn't hear its cancellation, such as a read from a terminal, is left behind.
    private static func giveUpSoon() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) {
            Terminal.error("tenure: cancelled")
            _exit(Exit.cancelled)
        }
    }
}
