import Logging
import ServiceLifecycle

/// A worker as a process of its own, started again a moment after it ended unasked. It returns when
/// an operator has stopped the worker, or at a shutdown.
struct ChildWorker: Service {
    let number: Int
    let arguments: [String]
    let databaseURL: String
    var listenURL: String?
    /// More of the environment, for what other users are not to see.
    var environment: [String: String] = [:]
    let grace: Duration
    let logger: Logger
    /// How often in a row it may say at once that it can't work; nil for any number.
    var mostRefusals: Int?
    private static let pause: Duration = .seconds(1)
    /// What a worker may take beyond its grace period before it is killed.
    private static let extra: Duration = .seconds(30)

    func run() async throws {
        var refusals = 0
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let began = ContinuousClock.now
            let status = try await live()
            if Task.isShuttingDownGracefully || Task.isCancelled { return }
            if case .code(0) = status { return }  // asked to: it stays away
            var isRefusal = false
            if case .code(Exit.failed) = status {
                isRefusal = began.duration(to: .now) < .seconds(3)
            }
            refusals = isRefusal ? refusals + 1 : 0
            if let most = mostRefusals, refusals >= most {
                throw Failure(
                    "the worker can't work, and said why; where this login may not, have others "
                        + "work: of check, --workers 0")
            }
            logger.warning(
                "worker process ended unasked; it is started again",
                metadata: ["worker.number": "\(number)", "reason": "\(status)"])
            await cancelWhenGracefulShutdown {
                // Only a cancellation ends the sleep early; the loop's head sees it.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// One life of the process.
    private func live() async throws -> ChildProcess.End {
        var environment = environment
        environment[Setting.databaseURL.environment] = databaseURL
        environment[Setting.listenURL.environment] = listenURL
        let process = try ChildProcess(arguments: arguments, environment: environment)
        logger.info(
            "worker process started",
            metadata: ["worker.number": "\(number)", "process": "\(process.id)"])
        // Each asks once: the second time ends the child's grace period too.
        let limit = grace + Self.extra
        return await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await process.waitForEnd()
            } onGracefulShutdown: {
                process.terminate(killingAfter: limit)
            }
        } onCancel: {
            process.terminate(killingAfter: limit)
        }
    }
}
