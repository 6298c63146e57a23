import Logging
import Tenure
package import TenurePostgres

/// Where notifications come from. Everything works without, later.
package protocol WakeupSource: Sendable {
    /// Hands over what it hears until the task is cancelled.
    func run(_ take: @Sendable (PostgresListenerEvent) -> Void) async
}

/// Listens on PostgreSQL's channels, on a connection of its own, and says which way wake-ups come:
/// when that is known, and when it changes.
struct PostgresWakeups: WakeupSource {
    private let listener: PostgresListener?
    private let isOwn: Bool
    private let logger: Logger
    /// A connection that has died unnoticed is found as late as the poll would find a job.
    private static let checkInterval = Duration.seconds(30)

    init(_ configuration: WorkerConfiguration, pool: PostgresPool, logger: Logger) {
        isOwn = configuration.listensOn != nil
        listener =
            configuration.listens
            ? PostgresListener(
                configuration: configuration.listensOn ?? pool.configuration,
                channels: [Wakeup.available, Wakeup.endings], checkInterval: Self.checkInterval,
                triesPooler: isOwn, logger: logger) : nil
        self.logger = logger
    }

    func run(_ take: @Sendable (PostgresListenerEvent) -> Void) async {
        guard let listener else { return say(nil) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await listener.run()
                } catch {
                    // Only a cancellation ends it: the worker is done.
                }
            }
            var said: PostgresListenerEvent?
            for await event in listener.events {
                if event == .listening || event == .deaf, event != said {
                    say(event)
                    said = event
                }
                take(event)
            }
            group.cancelAll()
        }
    }

    private func say(_ event: PostgresListenerEvent?) {
        let reason =
            switch event {
            case .listening where isOwn: "it listens on a connection of its own"
            case .listening: "it listens on the database it works with"
            case .deaf where isOwn: "the pooler it was told to listen through delivers nothing"
            case .deaf: "a pooler hides notifications; it can listen past it (listenURL)"
            default: "listening is switched off"
            }
        let way = event == .listening ? "notifications" : "polling alone"
        logger.info("wake-ups come by \(way)", metadata: .init([.reason: reason]))
    }
}
