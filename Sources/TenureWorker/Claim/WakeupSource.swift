import Logging
import Tenure
package import TenurePostgres

/// Where notifications come from. Everything works without, later.
package protocol WakeupSource: Sendable {
    /// Hands over what it hears until the task is cancelled.
    func run(_ take: @Sendable (PostgresListenerEvent) -> Void) async
}

/// Listens on PostgreSQL's channels, on a connection of its own.
struct PostgresWakeups: WakeupSource {
    private let listener: PostgresListener
    /// A connection that has died unnoticed is found as late as the poll would find a job.
    private static let checkInterval = Duration.seconds(30)

    init(pool: PostgresPool, logger: Logger) {
        listener = PostgresListener(
            configuration: pool.configuration, channels: [Wakeup.available, Wakeup.endings],
            checkInterval: Self.checkInterval, logger: logger)
    }

    func run(_ take: @Sendable (PostgresListenerEvent) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await listener.run()
                } catch {
                    // Only a cancellation ends it: the worker is done.
                }
            }
            for await event in listener.events { take(event) }
            group.cancelAll()
        }
    }
}
