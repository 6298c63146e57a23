import Logging
import ServiceLifecycle
import Synchronization

/// A coordinator or worker among others in one process. One that an operator has stopped stays
/// away and the others go on; the process ends with the last of them.
final class StoppablePart: Service {
    /// How many of a process's parts nobody has stopped.
    final class Count: Sendable {
        private let left: Mutex<Int>

        init(_ parts: Int) { left = Mutex(parts) }

        /// - Returns: how many are left.
        fileprivate func takeAway() -> Int {
            left.withLock { left in
                left -= 1
                return left
            }
        }
    }

    let service: any Service
    private let name: String
    private let left: Count
    private let logger: Logger
    private let stopped = Mutex(false)

    init(_ service: any Service, called name: String, of left: Count, logger: Logger) {
        self.service = service
        self.name = name
        self.left = left
        self.logger = logger
    }

    /// Whether an operator has stopped it, and it has ended.
    var wasStopped: Bool { stopped.withLock { $0 } }

    func run() async throws {
        try await service.run()
        if Task.isShuttingDownGracefully || Task.isCancelled { return }
        stopped.withLock { $0 = true }
        let others = left.takeAway()
        if others == 0 { return }
        logger.info("\(name) stopped as asked; the others of this process go on")
        try await gracefulShutdown()
    }
}
