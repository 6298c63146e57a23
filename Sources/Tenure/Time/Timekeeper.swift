package import TenurePostgres

/// Where the core gets its time from: the reactor's timers in production, a virtual clock in a
/// simulation. Instants are of the continuous clock, which goes on while the machine sleeps.
package protocol Timekeeper: Sendable {
    var now: ContinuousClock.Instant { get }
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: ContinuousClock.Instant) async throws
}

/// The timers of one reactor thread, which no handler can hog.
package struct ReactorTime: Timekeeper {
    private let reactor: PostgresReactor
    package init(_ reactor: PostgresReactor) { self.reactor = reactor }
    package var now: ContinuousClock.Instant { .now }
    package func sleep(until deadline: ContinuousClock.Instant) async throws {
        try await reactor.sleep(for: now.duration(to: deadline))
    }
}
