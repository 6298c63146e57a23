package import Logging
import Synchronization

/// Everything that was logged, at every level.
package final class LogCatch: Sendable {
    private let lines = Mutex("")

    package init() {}

    package var text: String { lines.withLock { $0 } }

    package var logger: Logger {
        var logger = Logger(label: "catch") { _ in Handler(owner: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let owner: LogCatch
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            owner.lines.withLock { $0 += "\(event.level) \(event.message) \(all)\n" }
        }
    }
}
