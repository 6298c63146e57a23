import Logging
import TenurePostgres

/// How full queues are, as far as this client has asked: once a second where there is a capacity,
/// and once in five where there was none.
final class QueueCapacities: Sendable {
    private struct Added {
        let from: ContinuousClock.Instant
        var jobs: Int
    }

    private struct Known {
        /// Nil: it has no capacity.
        var capacity: Int?
        /// As the database has counted.
        var counted = 0
        /// What this client has added since, a tenth of a second in each.
        var added: [Added] = []
        var askedAt: ContinuousClock.Instant

        var pending: Int { added.reduce(counted) { $0 + $1.jobs } }

        mutating func add(_ jobs: Int, at now: ContinuousClock.Instant) {
            if let last = added.last, last.from.duration(to: now) < QueueCapacities.grain {
                added[added.count - 1].jobs += jobs
            } else {
                added.append(Added(from: now, jobs: jobs))
            }
        }

        /// Takes a count of so long ago, which has what was added before it.
        mutating func take(_ measured: ReadCapacities.Measured, after added: [Added]) {
            let countedAt = askedAt - measured.age
            capacity = measured.capacity
            counted = measured.pending
            self.added = added.filter { $0.from + QueueCapacities.grain > countedAt }
        }

        func isFresh(at now: ContinuousClock.Instant) -> Bool {
            askedAt.duration(to: now)
                < (capacity == nil ? QueueCapacities.unbounded : QueueCapacities.rest)
        }
    }

    private static let rest = Duration.seconds(1)
    private static let unbounded = Duration.seconds(5)
    /// How finely is known when something was added.
    private static let grain = Duration.milliseconds(100)
    private let known = Lock<[QueueName: Known]>([:])
    /// The last question went wrong: that has been said.
    private let isBlind = Lock(false)

    /// Returns when there is room for these jobs, and counts them in.
    /// - Throws: `TenureError` with `.queueFull` or `.schemaMismatch`; `CancellationError`.
    func admit(
        _ wanted: [QueueName: Int], _ whenFull: WhenFull, pool: PostgresPool, logger: Logger
    ) async throws {
        let time = ReactorTime(.shared)
        let start = time.now
        while true {
            try await ask(wanted.keys, pool, logger)
            guard let full = add(wanted) else { return }
            guard case .wait(let longest) = whenFull, start.duration(to: time.now) < longest,
                full.wanted <= full.capacity
            else { throw TenureError(.queueFull, full.description, cause: full) }
            // Those who wait don't all come back at once.
            let pause = full.retryAfter * Double.random(in: 0.5...1.5)
            try await time.sleep(until: min(time.now + pause, start + longest))
        }
    }

    /// How much of a queue's capacity is left; nil where it has none.
    func room(in queue: QueueName, pool: PostgresPool, logger: Logger) async throws -> QueueRoom? {
        try await ask([queue], pool, logger)
        return known.withLock { known in
            guard let one = known[queue], let capacity = one.capacity else { return nil }
            return QueueRoom(capacity: capacity, pending: one.pending)
        }
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
            let measured = try await pool.ask(ReadCapacities(queues: stale))
            isBlind.withLock { $0 = false }
            known.withLock { known in
                let was = known
                for queue in stale { known[queue] = Known(askedAt: now) }
                for one in measured {
                    known[one.queue]?.take(one, after: was[one.queue]?.added ?? [])
                }
            }
        } catch let error as PostgresError {
            // An enqueue is not refused for want of an estimate: the queue passes for one without
            // a capacity. What else is wrong the enqueue itself will find.
            known.withLock { known in
                for queue in stale { known[queue] = Known(askedAt: now) }
            }
            let isNews = isBlind.withLock { was in
                defer { was = true }
                return !was
            }
            logger.log(
                level: isNews ? .warning : .debug,
                "a queue was not measured: its capacity is not heeded for the time being",
                metadata: .init([.error: "\(error)"]))
        }
    }

    /// - Returns: a queue that is full; nothing is counted in then.
    private func add(_ wanted: [QueueName: Int]) -> QueueFull? {
        known.withLock { known in
            for (queue, count) in wanted {
                guard let one = known[queue], let capacity = one.capacity else { continue }
                if one.pending + count > capacity {
                    return QueueFull(
                        queue: queue, capacity: capacity, pending: one.pending, wanted: count,
                        retryAfter: Self.rest)
                }
            }
            let now = ContinuousClock.now
            for (queue, count) in wanted where known[queue]?.capacity != nil {
                known[queue]?.add(count, at: now)
            }
            return nil
        }
    }
}
