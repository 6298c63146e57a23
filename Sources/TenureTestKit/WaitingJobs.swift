import Tenure
import TenureFoundation

/// Looks for what is due and wasn't run, and asks why.
struct WaitingJobs {
    let inspector: Inspector
    let kinds: [JobKind]
    /// So many are asked about: why the others wait is hardly anything else.
    private static let most = 50

    func found(in queues: [QueueName]) async throws -> [DrainedJobs.Waiting] {
        var found: [DrainedJobs.Waiting] = []
        for queue in queues {
            var filter = JobFilter()
            filter.states = [.scheduled, .available, .retryable, .held, .waiting]
            filter.queue = queue
            filter.limit = Self.most
            for job in try await inspector.jobs(filter) {
                guard let reason = try await reason(of: job) else { continue }
                add(job, reason, to: &found)
            }
        }
        return found.sorted { $0.job < $1.job }
    }

    /// What is due elsewhere, where a queue was asked for that never had a job: its name may be
    /// misspelt.
    func found(
        besides asked: [QueueName], of all: [QueueName]
    ) async throws -> [DrainedJobs.Waiting] {
        guard let stranger = asked.first(where: { !all.contains($0) }) else { return [] }
        let reason = "the drain was asked for queue \(stranger), which never had a job"
        var found: [DrainedJobs.Waiting] = []
        for queue in all where !asked.contains(queue) {
            var filter = JobFilter()
            filter.states = [.available]
            filter.queue = queue
            filter.limit = Self.most
            for job in try await inspector.jobs(filter) {
                add(job, reason, to: &found)
            }
        }
        return found.sorted { $0.job < $1.job }
    }

    private func add(
        _ job: JobSummary, _ reason: String, to found: inout [DrainedJobs.Waiting]
    ) {
        let known = found.firstIndex {
            $0.reason == reason && $0.kind == job.kind && $0.queue == job.queue
        }
        if let known {
            found[known].count += 1
        } else {
            found.append(
                DrainedJobs.Waiting(
                    job: job.id, kind: job.kind, queue: job.queue, count: 1, reason: reason))
        }
    }

    /// Nil for a job that only waits for its time.
    private func reason(of job: JobSummary) async throws -> String? {
        guard kinds.contains(job.kind) else {
            return job.runAt > Date()
                ? nil : "no handler of this kind is registered; give the drain its registry"
        }
        guard let detail = try await inspector.job(job.id) else { return nil }
        let reasons = try await inspector.delays(of: detail).filter { delay in
            switch delay.rule {
            // There is no worker beside a drain, and what is to come later isn't due.
            case .running, .noWorker, .kindUnknown, .turn, .runTime, .backoff: false
            default: true
            }
        }
        return reasons.isEmpty ? nil : reasons.map(\.detail).joined(separator: "; ")
    }
}
