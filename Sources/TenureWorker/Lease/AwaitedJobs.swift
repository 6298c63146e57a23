import Tenure
import TenurePostgres

/// The jobs whose ends somebody waits for, as far as this worker has heard. Whoever waits says so
/// again now and then; what is forgotten or never heard of is found by looking.
final class AwaitedJobs: Sendable {
    private static let most = 10_000
    /// Longer than a waiter's pause between saying so twice.
    private static let memory = Duration.seconds(30)
    private let jobs = Lock<[JobID: ContinuousClock.Instant]>([:])

    func add(_ job: JobID, at now: ContinuousClock.Instant) {
        jobs.withLock { jobs in
            if jobs.count >= Self.most { jobs = jobs.filter { $0.value > now } }
            if jobs.count < Self.most { jobs[job] = now + Self.memory }
        }
    }

    /// Those of these runs' jobs that are waited for; each is told once.
    func take(_ runs: [HeldRun], at now: ContinuousClock.Instant) -> [JobID] {
        jobs.withLock { jobs in
            if jobs.isEmpty { return [] }
            return runs.compactMap { held in
                let until = jobs.removeValue(forKey: held.info.job)
                return until.map { $0 > now } ?? false ? held.info.job : nil
            }
        }
    }
}
