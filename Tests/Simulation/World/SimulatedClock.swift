import Tenure

/// A process's continuous clock: it runs a little fast or slow, and goes on while the process is
/// paused. Its sleeps end when the process is there to be woken.
final class SimulatedClock: Timekeeper, @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.

    /// One that fell asleep: wakes at its time, by a cancellation, or when its process is torn
    /// down.
    private final class Sleeper: @unchecked Sendable {
        // Unchecked because one thread runs the whole simulation.
        var continuation: UnsafeContinuation<Void, any Error>?
        var deadline: Int64 = 0
        var order = 0
        var isCancelled = false
    }

    private static let base = ContinuousClock.now
    private unowned let process: SimulatedProcess
    /// By how many millionths it is fast.
    private let millionths: Int64
    private let offset: Int64
    private var sleepers: [Int: Sleeper] = [:]
    private var order = 0
    /// Its own time while the process is torn down.
    private var afterlife: Int64?

    init(process: SimulatedProcess, millionths: Int, offset: Int) {
        self.process = process
        self.millionths = Int64(millionths)
        self.offset = Int64(offset)
    }

    /// In nanoseconds.
    var reading: Int64 { afterlife ?? reading(at: process.world.now) }

    func reading(at moment: Int64) -> Int64 {
        offset + moment + moment * millionths / 1_000_000
    }

    /// The world's time, not before this, at which the clock shows `reading`.
    func moment(of reading: Int64) -> Int64 {
        // An hour is longer than any simulation.
        let since = min(reading - offset, 3_600_000_000_000)
        return since * 1_000_000 / (1_000_000 + millionths) + 2
    }

    var now: ContinuousClock.Instant { Self.base + .nanoseconds(reading) }

    /// Rounded up: whoever is woken then finds that the instant has come.
    func reading(of instant: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = Self.base.duration(to: instant).components
        if seconds > 4_000_000_000 { return 4_000_000_000_000_000_000 }
        return seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
    }

    func sleep(until deadline: ContinuousClock.Instant) async throws {
        try Task.checkCancellation()
        let sleeper = Sleeper()
        sleeper.deadline = reading(of: deadline)
        order += 1
        sleeper.order = order
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation {
                (continuation: UnsafeContinuation<Void, any Error>) in
                if sleeper.isCancelled { return continuation.resume(throwing: CancellationError()) }
                sleeper.continuation = continuation
                sleepers[sleeper.order] = sleeper
                plan(sleeper)
            }
        } onCancel: {
            sleeper.isCancelled = true
            wake(sleeper, .failure(CancellationError()))
        }
    }

    private func plan(_ sleeper: Sleeper) {
        guard afterlife == nil else { return }
        let world = process.world
        let late = Int64(world.random.within(0...1000)) * 1000
        process.at(max(moment(of: sleeper.deadline), world.now) + late) { [weak self] in
            self?.wake(sleeper, .success(()))
        }
    }

    private func wake(_ sleeper: Sleeper, _ result: Result<Void, any Error>) {
        guard let continuation = sleeper.continuation else { return }
        sleeper.continuation = nil
        sleepers[sleeper.order] = nil
        continuation.resume(with: result)
    }

    // MARK: Torn down

    /// From now on its time is its own: the world's goes on without it.
    func detach() { afterlife = reading }

    /// Wakes who has the least left to sleep. Returns false when nobody sleeps.
    func wakeNext() -> Bool {
        let next = sleepers.values.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
        guard let next else { return false }
        afterlife = max(reading, next.deadline)
        wake(next, .success(()))
        return true
    }
}
