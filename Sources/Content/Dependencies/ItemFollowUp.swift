import FoundationEssentials
import Synchronization
import Tenure
import TenureWorker

/// Enqueues the job that follows up changes, before the commits that make them: about once a second
/// for a queue, however many pages change.
///
/// Only so that no commit has to do it itself, with the key locked: see `ItemChange`.
final class ItemFollowUp: Sendable {
    private enum State {
        case called(ContinuousClock.Instant)
        /// With those who wait for it.
        case calling([CheckedContinuation<Void, Never>])
    }

    private enum Turn { case mine, others, none }

    private let states = Mutex<[QueueName: State]>([:])
    private static let rest: Duration = .seconds(1)

    /// One of many that come at a time does it; the others wait for it.
    func call(_ parts: ContentParts, _ context: JobContext) async throws {
        let queue = context.queue
        switch turn(queue) {
        case .none: return
        case .others: await wait(queue)
        case .mine:
            do {
                let waits = try await parts.pool.execute(ItemChange.findJob(queue)).first ?? false
                if !waits { try await ItemChange.enqueue(parts, context) }
                end(queue, .called(.now))
            } catch {
                // The others' commits do it themselves, or fail as this one did.
                end(queue, nil)
                throw error
            }
        }
    }

    /// A commit has found none waiting: the next call is due at once.
    func miss(_ queue: QueueName) {
        states.withLock { states in
            if case .called = states[queue] { states[queue] = nil }
        }
    }

    private func turn(_ queue: QueueName) -> Turn {
        states.withLock { states in
            switch states[queue] {
            case .calling: return .others
            case .called(let last) where last.duration(to: .now) < Self.rest: return .none
            default:
                states[queue] = .calling([])
                return .mine
            }
        }
    }

    private func wait(_ queue: QueueName) async {
        await withCheckedContinuation { continuation in
            let isOver = states.withLock { states in
                guard case .calling(let waiting) = states[queue] else { return true }
                states[queue] = .calling(waiting + [continuation])
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(_ queue: QueueName, _ state: State?) {
        let waiting = states.withLock { states in
            defer { states[queue] = state }
            if case .calling(let waiting) = states[queue] { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }
}
