public import Logging

/// What a listener has to say.
public enum PostgresListenerEvent: Hashable, Sendable {
    /// It listens, for the first time or again: something may have been missed before.
    case listening
    case notification(PostgresNotification)
    /// The connection is gone; it is being replaced.
    case lost
    /// A pooler in between delivers nothing. The way is looked at again every minute.
    case deaf
}

/// Listens on channels, on a connection of its own that is replaced when it breaks.
///
/// Notifications are hints. Between `.lost` and `.listening` they are missed; and when `events`
/// isn't read fast enough old ones are dropped and `.listening` is said again. A pooler in
/// transaction mode takes LISTEN, delivers nothing and reports no error: behind one that can be
/// found out (`PostgresConnection.isPooled`) the listener says `.deaf`.
public final class PostgresListener: Sendable {
    /// How many events may wait to be read.
    private static let capacity = 1024

    /// To be read by one task. Ends when `run` does.
    public let events: AsyncStream<PostgresListenerEvent>

    let configuration: PostgresConfiguration
    private let triesPooler: Bool
    private let channels: [String]
    private let checkInterval: Duration
    private let absence: AbsenceLog
    private let output: AsyncStream<PostgresListenerEvent>.Continuation
    private let runs = OneRun()

    /// - Parameters:
    ///   - channels: their names as they are, not as SQL.
    ///   - checkInterval: how often the server is asked whether it is still there; a connection
    ///     that nobody writes to can be dead for long without showing it.
    ///   - triesPooler: behind a pooler, send a notification and see whether it comes: one in
    ///     session mode delivers. False takes every pooler for deaf.
    public init(
        configuration: PostgresConfiguration, channels: [String],
        checkInterval: Duration = .seconds(10), triesPooler: Bool = false,
        logger: Logger = Logger(label: "tenure.postgres")
    ) {
        self.configuration = configuration
        self.channels = channels
        self.checkInterval = checkInterval
        self.triesPooler = triesPooler
        absence = AbsenceLog("can't listen", logger: logger)
        (events, output) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Self.capacity))
    }

    /// Listens until the task is cancelled; to be called once.
    ///
    /// - Throws: `CancellationError`: whatever fails is tried again, later and later up to 1 s.
    ///   `PostgresError` with `.misuse` when it was called before.
    public func run() async throws {
        guard runs.begin() == nil else {
            throw PostgresError(
                .misuse, "the listener's run() was called a second time",
                hint: "Make a new listener: the events of this one are read by one task, once")
        }
        defer {
            runs.end()
            output.finish()
        }
        var failures = 0
        while true {
            do {
                try await listen { failures = 0 }
            } catch is CancellationError {
                throw CancellationError()
            } catch is Deaf {
                tell(.deaf)
                try await configuration.reactor.sleep(for: .seconds(60))
                continue
            } catch {
                absence.failed(error)
            }
            try Task.checkCancellation()
            failures += 1
            var generator = SystemRandomNumberGenerator()
            let pause = Backoff.pause(after: failures, using: &generator)
            try await configuration.reactor.sleep(for: pause)
        }
    }

    /// Until the connection is lost.
    private func listen(_ didStart: () -> Void) async throws {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        if connection.isPooled {
            guard triesPooler, try await isHeard(on: connection) else { throw Deaf() }
        }
        connection.onNotification { [self] in tell(.notification($0)) }
        for channel in channels {
            try await connection.simple("LISTEN \(SQLName.quoted(channel))")
        }
        didStart()
        absence.succeeded()
        tell(.listening)
        defer { tell(.lost) }
        try await watch(connection)
    }

    /// Waits for the loss of the connection, and looks for it now and then.
    private func watch(_ connection: PostgresConnection) async throws {
        while !connection.isClosed {
            if try await connection.isLost(within: checkInterval) { return }
            _ = try await connection.execute(PostgresPing(), deadline: .seconds(5))
        }
    }

    private func tell(_ event: PostgresListenerEvent) {
        if case .dropped = output.yield(event) { output.yield(.listening) }
    }
}

extension PostgresConnection {
    /// Waits until the connection is closed or lost.
    ///
    /// - Returns: false when it still stood after `duration`.
    func isLost(within duration: Duration) async throws -> Bool {
        let lost = OneShot<Bool>()
        let timer = configuration.reactor.schedule(at: .now + duration) {
            lost.decide(.success(false))
        }
        defer { configuration.reactor.cancel(timer) }
        let id = onClose { lost.decide(.success(true)) }
        defer { forgetOnClose(id) }
        return try await lost.value()
    }
}
