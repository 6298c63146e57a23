import Tenure
import TenurePostgres

/// Reports the ends of runs, in groups: the next group is whatever gathered while the last one
/// was on its way. A run stays the worker's own until its end is written, so nothing else may
/// start it; while the database is away, ends wait.
///
/// No end holds up the others. One whose key is locked by somebody's open transaction is asked
/// for again and again, without waiting on a connection; one that the database can't take is
/// reported as failed instead.
final class Finisher: Sendable {
    typealias Settled = @Sendable (RunEnding, _ became: String) -> Void

    private let store: any RunStore
    private let time: any Timekeeper
    private let executor: any TaskExecutor
    private let observer: any EventObserver
    private let settled: Settled
    private let gathered = Lock<[RunEnding]>([])
    private let busy = Lock(BusyEndings())
    private let work = Signal()
    private static let mostAtOnce = 1000

    init(
        store: any RunStore, time: any Timekeeper, executor: any TaskExecutor,
        observer: any EventObserver, settled: @escaping Settled
    ) {
        self.store = store
        self.time = time
        self.executor = executor
        self.observer = observer
        self.settled = settled
    }

    func report(_ ending: RunEnding) {
        gathered.withLock { $0.append(ending) }
        work.notify()
    }

    /// Runs until cancelled, then reports what is left, for as long as `lastWords` allows.
    func run(lastWords: Duration) async {
        while !Task.isCancelled {
            if let retryAt = busy.withLock({ $0.retryAt }) {
                await work.wait(until: retryAt, on: time)
            } else {
                await work.wait()
            }
            while !Task.isCancelled, let group = next() { await flush(group) }
        }
        await withoutCancellation(on: executor) {
            await self.drain(until: self.time.now + lastWords)
        }
    }

    private func drain(until deadline: ContinuousClock.Instant) async {
        while time.now < deadline {
            if let group = next() {
                await flush(group, until: deadline)
            } else if let retryAt = busy.withLock({ $0.retryAt }) {
                await pause(until: min(retryAt, deadline))
            } else {
                return
            }
        }
    }

    private func next() -> [RunEnding]? {
        let now = time.now
        let again = busy.withLock { $0.take(at: now) }
        return gathered.withLock { gathered in
            let group = again + gathered.prefix(Self.mostAtOnce)
            gathered.removeFirst(min(gathered.count, Self.mostAtOnce))
            return group.isEmpty ? nil : group
        }
    }

    /// Reports a group until the database has answered.
    private func flush(_ group: [RunEnding], until deadline: ContinuousClock.Instant? = nil) async {
        var left = group
        var rest = Duration.milliseconds(20)
        while !left.isEmpty {
            do {
                left = try await complete(left)
                if !left.isEmpty { settle(left, try await store.end(left)) }
                return
            } catch  where Self.isPassing(error) || error is CancellationError {
                if Task.isCancelled || deadline.map({ time.now >= $0 }) ?? false {
                    gathered.withLock { $0 = left + $0 }
                    return
                }
                observer.observe(.databaseAway(during: "reporting finished jobs", error))
                await pause(until: time.now + rest)
                rest = min(rest * 2, .seconds(1))
            } catch {
                left = await replace(left, because: error, until: deadline)
            }
        }
    }

    /// Errors that say nothing about the endings themselves.
    private static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        return error.isTransient || error.isConnectionLoss
            || [.deadlineExceeded, .poolTimedOut, .connectFailed, .closed].contains(error.code)
    }

    /// The database can't take one of these: find it by halves, and report it as failed.
    private func replace(
        _ group: [RunEnding], because error: any Error, until deadline: ContinuousClock.Instant?
    ) async -> [RunEnding] {
        if group.count > 1 {
            let half = group.count / 2
            await flush(Array(group[..<half]), until: deadline)
            return Array(group[half...])
        }
        let ending = group[0]
        if ending.isReplacement {
            // The session's own look for unknown runs, or its end, gives the job back.
            settled(ending, "unwritten")
            return []
        }
        var failed = RunEnding.failed(
            ending.run, code: "unwritable_end",
            message: "the database refused what the run reported", delay: .seconds(60))
        failed.isReplacement = true
        observer.observe(.databaseAway(during: "reporting a finished job", error))
        return [failed]
    }

    /// The fast way for those that can take it; returns the others.
    private func complete(_ group: [RunEnding]) async throws -> [RunEnding] {
        let plain = group.filter(\.isPlain)
        if plain.isEmpty { return group }
        let left = Set(try await store.complete(plain.map { PlacedRun($0.run, at: $0.place) }))
        for ending in plain where !left.contains(ending.run.job) {
            settled(ending, "completed")
        }
        return group.filter { !$0.isPlain || left.contains($0.run.job) }.map { ending in
            // What the fast way left is looked at one by one.
            var ending = ending
            ending.isPlain = false
            return ending
        }
    }

    private func settle(_ endings: [RunEnding], _ answers: [EndedRun]) {
        let became = Dictionary(
            answers.map { ($0.run, $0.became) }, uniquingKeysWith: { first, _ in first })
        var locked: [RunEnding] = []
        for ending in endings {
            let result = became[ending.run] ?? "late"
            if result == "busy" { locked.append(ending) } else { settled(ending, result) }
        }
        let now = time.now
        busy.withLock { $0.add(locked, at: now) }
    }

    private func pause(until deadline: ContinuousClock.Instant) async {
        // Only a cancellation ends the sleep early; the caller's loop sees it.
        try? await time.sleep(until: deadline)
    }
}

/// Ends whose keys were locked, and when to ask for them again: soon at first, then once a second.
struct BusyEndings: Sendable {
    private var endings: [RunEnding] = []
    private var rest = Duration.milliseconds(20)
    private(set) var retryAt: ContinuousClock.Instant?

    mutating func add(_ locked: [RunEnding], at now: ContinuousClock.Instant) {
        endings += locked
        if endings.isEmpty {
            rest = .milliseconds(20)
        } else if retryAt == nil {
            retryAt = now + rest
            rest = min(rest * 2, .seconds(1))
        }
    }

    mutating func take(at now: ContinuousClock.Instant) -> [RunEnding] {
        guard let retryAt, retryAt <= now else { return [] }
        self.retryAt = nil
        defer { endings = [] }
        return endings
    }
}
