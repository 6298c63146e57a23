import Logging

/// Says in a log that a server is away, and that it is back.
final class AbsenceLog: Sendable {
    private let what: String
    private let logger: Logger
    private let report = Lock(AbsenceReport())

    /// - Parameter what: what fails, such as "can't listen".
    init(_ what: String, logger: Logger) {
        self.what = what
        self.logger = logger
    }

    func failed(_ error: any Error) {
        let line = report.withLock { $0.failed(at: .now) }
        let error = Logger.MetadataValue.string("\(error)")
        switch line {
        case .away: logger.warning("\(what)", metadata: ["error": error])
        case .stillAway(let tries, let since):
            logger.warning(
                "\(what), still",
                metadata: ["error": error, "tries": "\(tries)", "since": "\(since.inWords) ago"])
        case .back, nil: logger.debug("\(what)", metadata: ["error": error])
        }
    }

    func succeeded() {
        guard case .back(let tries, let after) = report.withLock({ $0.succeeded(at: .now) }) else {
            return
        }
        logger.info(
            "the database can be reached again",
            metadata: ["tries": "\(tries)", "after": "\(after.inWords)"])
    }
}

extension Duration {
    fileprivate var inWords: String { "\(components.seconds) s" }
}
