import Logging
import Tenure
import TenurePostgres

/// Turns notifications into wake-ups: of the claimers, and of the heartbeat when a run here may
/// have lost its right. Everything works without it, later.
struct WakeupListener: Sendable {
    private let core: WorkerCore
    private let claimers: [QueueName: Claimer]
    private let listener: PostgresListener

    init(
        core: WorkerCore, claimers: [QueueName: Claimer], pool: PostgresPool, logger: Logger
    ) {
        self.core = core
        self.claimers = claimers
        listener = PostgresListener(
            configuration: pool.configuration, channels: [Wakeup.available, Wakeup.endings],
            logger: logger)
    }

    func run() async {
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

    private func take(_ event: PostgresListenerEvent) {
        switch event {
        case .listening:
            // Something may have been missed before.
            core.setListening(true)
            for claimer in claimers.values { claimer.wakeUp() }
            core.beatSoon()
        case .lost: core.setListening(false)
        case .notification(let notification):
            if notification.channel == Wakeup.available {
                claimers[QueueName(notification.payload)]?.wakeUp()
            } else if core.registry.concerns(notification.payload) {
                core.beatSoon()
            }
        }
    }
}
