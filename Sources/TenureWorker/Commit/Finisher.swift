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
    private let store: any RunStore
    private let time: any Timekeeper
    private let executor: any TaskExecutor
    private let observer: any EventObserver
    private let completed: @Sendable ([Run]) -> Void
    private let settled: @Sendable (RunEnding, _ became: RunOutcome) -> Void
    private let gathered = Lock(EndGroup())
    private let busy = Lock(BusyEndings())
    /// The program has closed the way to the database: nothing more will be taken.
    private let isCutOff = Lock(false)
    private let work = Signal()

    /// - Parameters:
    ///   - completed: told of runs that `complete` has completed.
    ///   - settled: told of every other end, with what became of it.
    init(
        store: any RunStore, time: any Timekeeper, executor: any TaskExecutor,
        observer: any EventObserver, completed: @escaping @Sendable ([Run]) -> Void,
        settled: @escaping @Sendable (RunEnding, _ became: RunOutcome) -> Void
    ) {
        self.store = store
        self.time = time
        self.executor = executor
        self.observer = observer
        self.completed = completed
        self.settled = settled
    }

    /// Whether what is left unwritten stays so because the pool was closed.
    var wasCutOff: Bool { isCutOff.withLock { $0 } }

    /// The run is done, has no key and no result: many of these end in one statement.
    func complete(_ run: Run) {
        let isFirst = gathered.withLock { group in
            defer { group.plain.append(run) }
            return group.isEmpty
        }
        // With others it is found by whoever was told of the first.
        if isFirst { work.notify() }
    }

    func report(_ ending: RunEnding) {
        gathered.withLock { $0.others.append(ending) }
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

    /// Reports what has gathered, until the database has taken it, the time is up or its pool was
    /// closed.
    func drain(until deadline: ContinuousClock.Instant) async {
        while time.now < deadline, !isCutOff.withLock({ $0 }) {
            if let group = next() {
                await flush(group, until: deadline)
            } else if let retryAt = busy.withLock({ $0.retryAt }) {
                await pause(until: min(retryAt, deadline))
            } else {
                return
            }
        }
    }

    private func next() -> EndGroup? {
        let now = time.now
        let again = busy.withLock { $0.take(at: now) }
        var group = gathered.withLock { $0.take() }
        if !again.isEmpty { group.others = again + group.others }
        return group.isEmpty ? nil : group
    }

    /// Reports a group until the database has answered.
    private func flush(
        _ first: EndGroup, until deadline: ContinuousClock.Instant? = nil
    ) async {
        var group = first
        var rest = Duration.milliseconds(20)
        while !group.isEmpty {
            do {
                if !group.plain.isEmpty { group = try await complete(group) }
                if !group.others.isEmpty {
                    settle(group.others, try await store.end(group.others))
                }
                isCutOff.withLock { $0 = false }
                return
            } catch  where Self.isPassing(error) || error is CancellationError {
                let isClosed = (error as? PostgresError)?.code == .closed
                if isClosed { isCutOff.withLock { $0 = true } }
                if Task.isCancelled || deadline.map({ isClosed || time.now >= $0 }) ?? false {
                    gathered.withLock { [group] in $0.putBack(group) }
                    return
                }
                observer.observe(.databaseAway(during: "reporting finished jobs", error))
                await pause(until: time.now + rest)
                rest = min(rest * 2, .seconds(1))
            } catch {
                group = EndGroup(
                    others: await replace(group.asEndings, because: error, until: deadline))
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
            await flush(EndGroup(others: Array(group[..<half])), until: deadline)
            return Array(group[half...])
        }
        let ending = group[0]
        if ending.isReplacement {
            // The session's own look for unknown runs, or its end, gives the job back.
            settled(ending, .unwritten)
            return []
        }
        var failed = RunEnding.failed(
            ending.run, code: "unwritable_end",
            message: "the database refused what the run reported", delay: .seconds(60))
        failed.isReplacement = true
        observer.observe(.databaseAway(during: "reporting a finished job", error))
        return [failed]
    }

    /// The fast way for those that can take it; what it left is to be looked at one by one.
    private func complete(_ group: EndGroup) async throws -> EndGroup {
        let refused = Set(
            try await store.complete(group.plain.map { ($0.ref, $0.job.place) }))
        var left = EndGroup(others: group.others)
        if refused.isEmpty {
            completed(group.plain)
            return left
        }
        completed(group.plain.filter { !refused.contains($0.ref.job) })
        left.others += group.plain.filter { refused.contains($0.ref.job) }.map {
            RunEnding($0.ref, .completed)
        }
        return left
    }

    private func settle(_ endings: [RunEnding], _ became: [RunRef: EndAnswer]) {
        var locked: [RunEnding] = []
        for ending in endings {
            switch became[ending.run] ?? .ended(.late) {
            case .busy: locked.append(ending)
            case .ended(let outcome): settled(ending, outcome)
            }
        }
        let now = time.now
        busy.withLock { $0.add(locked, at: now) }
    }

    private func pause(until deadline: ContinuousClock.Instant) async {
        // Only a cancellation ends the sleep early; the caller's loop sees it.
        try? await time.sleep(until: deadline)
    }
}
