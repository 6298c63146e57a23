import Dispatch
import ServiceLifecycle
import TenureSystem

/// Ends a child worker when its parent has ended, however that was: the parent holds the other
/// end of the child's standard input, and the kernel closes it.
package struct ParentWatch: Service {
    package init() {}

    package func run() async throws {
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
        source.setEventHandler {
            var byte: UInt8 = 0
            if read(STDIN_FILENO, &byte, 1) == 0 { continuation.finish() }
        }
        source.activate()
        defer { source.cancel() }
        await cancelWhenGracefulShutdown {
            for await _ in ended {}
            // The service group takes it from here, as if the parent had sent it.
            if !Task.isCancelled { kill(getpid(), SIGTERM) }
        }
        try await gracefulShutdown()
    }
}
