import Tenure
import TenurePostgres

/// Reports the ends of runs, in groups: the next group is whatever gathered while the last one
/// was on its way. A run stays the worker's own until its end is written, so nothing else may
/// start it; while the database is away, ends wait.
final class Finisher: Sendable {
    typealias Settled = @Sendable (RunEnding, _ became: String) -> Void

    private let store: any RunStore
    private let time: any Timekeeper
    private let observer: any EventObserver
    private let settled: Settled
    private let gathered = Lock<[RunEnding]>([])
    private let work = Signal()
    private static let mostAtOnce = 1000

    init(
        store: any RunStore, time: any Timekeeper, observer: any EventObserver,
        settled: @escaping Settled
    ) {
        self.store = store
        self.time = time
        self.observer = observer
        self.settled = settled
    }

    func report(_ ending: RunEnding) {
        gathered.withLock { $0.append(ending) }
        work.notify()
    }

    /// Runs until cancelled, then reports what is left, for as long as `lastWords` allows.
    func run(lastWords: Duration) async {
        await withDiscardingTaskGroup { alone in
            while !Task.isCancelled {
                await work.wait()
                while let group = next() {
                    let busy = await flush(group)
                    // Their keys are locked by somebody's open transaction: each waits alone.
                    for ending in busy { alone.addTask { await self.waitFor(ending) } }
                    if Task.isCancelled { break }
                }
            }
            await withoutCancellation { await self.drain(until: self.time.now + lastWords) }
            alone.cancelAll()
        }
    }

    private func drain(until deadline: ContinuousClock.Instant) async {
        while time.now < deadline, let group = next() {
            let busy = await flush(group, until: deadline)
            for ending in busy { settled(ending, "busy") }
        }
    }

    private func next() -> [RunEnding]? {
        gathered.withLock { gathered in
            guard !gathered.isEmpty else { return nil }
            let group = Array(gathered.prefix(Self.mostAtOnce))
            gathered.removeFirst(group.count)
            return group
        }
    }

    /// Reports a group until the database has answered; returns those whose key was locked.
    private func flush(
        _ group: [RunEnding], until deadline: ContinuousClock.Instant? = nil
    ) async -> [RunEnding] {
        var left = group
        var pause = Duration.milliseconds(20)
        while true {
            do {
                left = try await complete(left)
                return left.isEmpty ? [] : settle(left, try await store.end(left, isPatient: false))
            } catch {
                if Task.isCancelled || deadline.map({ time.now >= $0 }) ?? false {
                    gathered.withLock { $0 = left + $0 }
                    return []
                }
                observer.observe(.databaseAway(during: "reporting finished jobs", error))
            }
            // Only a cancellation ends the sleep early, and then the next error ends the loop.
            try? await time.sleep(until: time.now.advanced(by: pause))
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// The fast way for those that can take it; returns the others.
    private func complete(_ group: [RunEnding]) async throws -> [RunEnding] {
        let plain = group.filter(\.isPlain)
        if plain.isEmpty { return group }
        let completed = Set(try await store.complete(plain.map(\.run)))
        for ending in plain where completed.contains(ending.run.job) {
            settled(ending, "completed")
        }
        return group.filter { !completed.contains($0.run.job) }.map { ending in
            // What the fast way left is looked at one by one.
            var ending = ending
            ending.isPlain = false
            return ending
        }
    }

    private func settle(_ endings: [RunEnding], _ answers: [EndedRun]) -> [RunEnding] {
        let became = Dictionary(
            answers.map { ($0.run, $0.became) }, uniquingKeysWith: { first, _ in first })
        var busy: [RunEnding] = []
        for ending in endings {
            let result = became[ending.run] ?? "late"
            if result == "busy" { busy.append(ending) } else { settled(ending, result) }
        }
        return busy
    }

    private func waitFor(_ ending: RunEnding) async {
        while !Task.isCancelled {
            do {
                _ = settle([ending], try await store.end([ending], isPatient: true))
                return
            } catch {
                if Task.isCancelled { break }
                observer.observe(.databaseAway(during: "reporting a finished job", error))
                // Only a cancellation ends the sleep early; the loop's head sees it.
                try? await time.sleep(until: time.now.advanced(by: .seconds(1)))
            }
        }
        gathered.withLock { $0.append(ending) }
    }
}
