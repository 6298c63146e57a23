import Tenure
import TenurePostgres

/// Turns notifications into wake-ups: of the claimers, and of the heartbeat when a run here may
/// have lost its right.
struct Wakeups: Sendable {
    let core: WorkerCore
    let claimers: [QueueName: Claimer]

    func take(_ event: PostgresListenerEvent) {
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
