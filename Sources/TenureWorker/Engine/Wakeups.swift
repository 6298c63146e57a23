import Tenure
import TenurePostgres

/// Turns notifications into wake-ups: of the queues here, and a look at the runs
/// that may have lost their right.
struct Wakeups: Sendable {
    let core: WorkerCore
    let look: VerdictLook

    func take(_ event: PostgresListenerEvent) {
        switch event {
        case .listening:
            // Something may have been missed before.
            core.setListening(true)
            core.queues.wakeUp()
            core.lease.beatSoon()
        case .lost, .deaf: core.setListening(false)
        case .notification(let notification):
            if notification.channel == Wakeup.available {
                core.queues[QueueName(notification.payload)]?.wakeUp()
            } else if let job = Wakeup.awaited(in: notification.payload) {
                core.awaited.add(job, at: core.time.now)
            } else {
                let named = core.registry.named(notification.payload)
                if !named.isEmpty { look.look(at: named) }
            }
        }
    }
}
