import Tenure
import TenureFoundation
import TenureWorker

/// The time that a drain pretends: jobs come due in its order, and what they put off is put off
/// from there.
///
/// The database's clock can't be moved, so a job whose turn has come is made due instead. Whatever
/// was written since then has its run time from the real clock: it is as much later here as the
/// pretended time is ahead.
struct Agenda {
    private struct Entry {
        let runAt: Date
        let due: Date
    }
    private let end: Date
    private var ahead: TimeInterval = 0
    private var entries: [JobID: Entry] = [:]
    /// What is looked at in one look.
    private static let page = 10_000

    init(ahead: Duration) {
        let (seconds, attoseconds) = ahead.components
        end = Date().addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// The job that is next to come due before the end, which the time goes on to; nil when there
    /// is none.
    mutating func next(
        in queues: [QueueName], of kinds: [JobKind], _ inspector: Inspector
    ) async throws -> JobID? {
        let now = Date()
        var later: [(id: JobID, due: Date)] = []
        for queue in queues {
            var filter = JobFilter()
            filter.states = [.scheduled, .available, .retryable]
            filter.queue = queue
            filter.limit = Self.page
            // What is due and wasn't claimed is held back by something else than time.
            for job in try await inspector.jobs(filter)
            where kinds.contains(job.kind) && job.runAt > now {
                later.append((job.id, due(job)))
            }
        }
        guard let first = later.min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), first.due <= end
        else { return nil }
        ahead = max(ahead, first.due.timeIntervalSince(now))
        return first.id
    }

    private mutating func due(_ job: JobSummary) -> Date {
        if let known = entries[job.id], known.runAt == job.runAt { return known.due }
        let entry = Entry(runAt: job.runAt, due: job.runAt.addingTimeInterval(ahead))
        entries[job.id] = entry
        return entry.due
    }
}
