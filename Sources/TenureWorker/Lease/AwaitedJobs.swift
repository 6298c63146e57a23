import Tenure
import TenurePostgres

/// The jobs whose ends somebody waits for, as far as this worker has heard. Whoever waits says so
/// again now and then; what is forgotten or never heard of is found by looking.
final class AwaitedJobs: Sendable {
    private static let most = 10_000
    /// Longer than a waiter's pause between saying so twice.
    private static let memory = Duration.seconds(30)
    private let known = Lock(Known())

    private struct Known {
        var jobs: [JobID: ContinuousClock.Instant] = [:]
        /// Before then nothing in it is old enough to be forgotten.
        var nextLook: ContinuousClock.Instant?
    }

    func add(_ job: JobID, at now: ContinuousClock.Instant) {
        known.withLock { known in
            if known.jobs.count >= Self.most, known.nextLook.map({ $0 <= now }) ?? true {
                known.jobs = known.jobs.filter { $0.value > now }
                known.nextLook = known.jobs.values.min()
            }
            if known.jobs.count < Self.most { known.jobs[job] = now + Self.memory }
        }
    }

    /// Those of these runs' jobs that are waited for; each is told once.
    func take(_ runs: [Run], at now: ContinuousClock.Instant) -> [JobID] {
        known.withLock { known in
            if known.jobs.isEmpty { return [] }
            return runs.compactMap { run in
                let until = known.jobs.removeValue(forKey: run.info.job)
                return until.map { $0 > now } ?? false ? run.info.job : nil
            }
        }
    }
}
