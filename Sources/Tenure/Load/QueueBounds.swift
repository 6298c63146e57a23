import Logging
import TenurePostgres

/// How full queues are, as far as this client has asked: once a second where there is a bound, and
/// once in five where there was none.
final class QueueBounds: Sendable {
    private struct Known {
        /// Nil: it has no bound.
        var bound: Int?
        var pending = 0
        var askedAt: ContinuousClock.Instant

        func isFresh(at now: ContinuousClock.Instant) -> Bool {
            askedAt.duration(to: now) < (bound == nil ? QueueBounds.unbounded : QueueBounds.rest)
        }
    }
    private static let rest = Duration.seconds(1)
    private static let unbounded = Duration.seconds(5)
    private let known = Lock<[QueueName: Known]>([:])

    /// Returns when there is room for these jobs, and counts them in.
    /// - Throws: `TenureError` with `.queueFull`; `CancellationError`.
    func admit(
        _ jobs: [NewJob], _ whenFull: WhenFull, pool: PostgresPool, logger: Logger
    ) async throws {
        let time = ReactorTime(.shared)
        let wanted = Self.count(jobs)
        let start = time.now
        while true {
            try await ask(wanted.keys, pool, logger)
            guard let full = add(wanted) else { return }
            guard case .wait(let longest) = whenFull, start.duration(to: time.now) < longest,
                full.wanted <= full.limit
            else { throw TenureError(.queueFull, full.description, cause: full) }
            // Those who wait don't all come back at once.
            let pause = full.retryAfter * Double.random(in: 0.5...1.5)
            try await time.sleep(until: min(time.now + pause, start + longest))
        }
    }

    /// Mostly all are of one queue.
    private static func count(_ jobs: [NewJob]) -> [QueueName: Int] {
        guard let first = jobs.first?.queue else { return [:] }
        if jobs.allSatisfy({ $0.queue == first }) { return [first: jobs.count] }
        return Dictionary(jobs.map { ($0.queue, 1) }, uniquingKeysWith: +)
    }

    private func ask(
        _ queues: some Collection<QueueName>, _ pool: PostgresPool, _ logger: Logger
    ) async throws {
        let now = ContinuousClock.now
        let stale = known.withLock { known in
            queues.filter { known[$0]?.isFresh(at: now) != true }
        }
        if stale.isEmpty { return }
        do {
            let measured = try await pool.execute(MeasureQueues(queues: stale))
            known.withLock { known in
                for queue in stale { known[queue] = Known(askedAt: now) }
                for one in measured {
                    known[one.queue] = Known(
                        bound: one.bound, pending: one.pending, askedAt: now)
                }
            }
        } catch let error as PostgresError where error.isTransient {
            // An enqueue is not refused for want of an estimate; it has tries of its own.
            logger.debug("a queue was not measured", metadata: .init([.error: "\(error)"]))
        }
    }

    /// - Returns: a queue that is full; nothing is counted in then.
    private func add(_ wanted: [QueueName: Int]) -> QueueFull? {
        known.withLock { known in
            for (queue, count) in wanted {
                guard let one = known[queue], let bound = one.bound else { continue }
                if one.pending + count > bound {
                    return QueueFull(
                        queue: queue, limit: bound, pending: one.pending, wanted: count,
                        retryAfter: Self.rest)
                }
            }
            for (queue, count) in wanted { known[queue]?.pending += count }
            return nil
        }
    }
}
